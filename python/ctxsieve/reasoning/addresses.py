"""Which network addresses a fetch may reach: public ones only, whatever name led to them."""

import ipaddress
from collections.abc import Iterable

from ctxsieve.errors import InputError

__all__ = ["Address", "check_address"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Not public, though no registry marks them so: protocol assignments (with the metadata service of one cloud), the
# relay of 6to4, and the host service of another cloud.
_CLOSED_V4 = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
# Transition mechanisms carry an IPv4 address inside; the gateway would connect to it on our behalf.
_CLOSED_V6 = tuple(
    map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "fec0::/10"))
)


def check_address(text: str, allowed_networks: Iterable[Network] = ()) -> Address:
    """Return the address if it is public or in one of the allowed networks.

    Raises:
        InputError: It is private, loopback, link-local (metadata services), multicast, reserved, or not an address.
    """
    try:
        address: Address = ipaddress.ip_address(text)
    except ValueError:
        raise InputError(f"{text!r} is no IP address") from None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if any(address.version == network.version and address in network for network in allowed_networks):
        return address
    closed: Iterable[Network] = _CLOSED_V4 if isinstance(address, ipaddress.IPv4Address) else _CLOSED_V6
    is_public = address.is_global and not address.is_multicast and not address.is_reserved
    if not is_public or any(address in network for network in closed):
        raise InputError(f"address {address} is not public: only public addresses are fetched")
    return address
