"""docker, docker compose, kubectl, helm."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

_LAYER = (
    r"^\s*[0-9a-f]{12}:? (?:Pulling fs layer|Waiting|Downloading|Download complete|Verifying Checksum"
    r"|Extracting|Pull complete"
    r"|Already exists|Preparing|Pushing|Pushed|Layer already exists|Mounted from)"
)

FAMILIES = (
    Family(
        "docker build",
        (("docker", "build"), ("docker", "buildx"), ("podman", "build"), ("buildah",)),
        (
            lite(
                r"^(?:#\d+|=>|\s*=>) .*(?:sha256:|transferring|resolve |extracting|CACHED|DONE [\d.]+s"
                r"|exporting|naming to|writing image|load build|load metadata|load \.dockerignore)",
                "build steps",
            ),
            lite(
                r"^ ---> (?:[0-9a-f]{12}|Running in|Using cache)|^Removing intermediate container"
                r"|^Sending build context",
                "build steps",
            ),
            lite(_LAYER, "layers"),
            standard(
                r"^#\d+ [\d.]+ (?:Get:|Hit:|Collecting |Downloading |Unpacking |Setting up |Selecting "
                r"|Preparing to )",
                "package steps",
            ),
        ),
        re.compile(r"^#\d+ (?:\[|DONE|CACHED|sha256)|^Step \d+/\d+ : | => "),
    ),
    Family(
        "docker pull",
        (("docker", "pull"), ("docker", "push"), ("podman", "pull"), ("crane",)),
        (lite(_LAYER, "layers"), lite(r"^Status: |^Using default tag", "status")),
        re.compile(_LAYER),
    ),
    Family(
        "docker compose",
        (("docker", "compose"), ("docker-compose",)),
        (
            lite(_LAYER, "layers"),
            lite(
                r"^\s*(?:✔ |⠿ |\[\+\] )?(?:Container|Network|Volume|Image) \S+\s+(?:Creating|Created|Starting"
                r"|Started|Waiting|Healthy|Recreate\w*|Stopping|Stopped|Removing|Removed|Running|Pulling"
                r"|Pulled|Building|Built)",
                "container steps",
            ),
            lite(r"^\[\+\] (?:Running|Building|Pulling)", "container steps"),
        ),
        re.compile(r"^\s*(?:✔ )?(?:Container|Network|Volume) \S+\s+(?:Creat|Start|Stopp|Remov)"),
    ),
    Family(
        "docker list",
        (("docker", "ps"), ("docker", "images"), ("docker", "image"), ("docker", "container"), ("podman", "ps")),
        (
            standard(r"\sUp (?:\d+|About|Less).*", "running containers", shown=10),
            standard(r"^<none>\s+<none>\s", "dangling images", shown=1),
        ),
        re.compile(r"^CONTAINER ID\s+IMAGE|^REPOSITORY\s+TAG\s+IMAGE ID"),
    ),
    Family(
        "kubectl get",
        (("kubectl", "get"), ("oc", "get"), ("k9s",)),
        (
            standard(r"\s(\d+)/\1\s+Running\s+0\b", "healthy pods", shown=3),
            standard(r"\s0/\d+\s+Completed\s", "completed pods", shown=1),
            standard(r"\s(\d+)/\1\s+\1\s+\1\s+\S+$", "healthy workloads", shown=3),
            standard(r"^(?:\d+\w?|<unknown>)\s+Normal\s|\s(?:\d+[smhd])+\s+Normal\s", "normal events", shown=1),
            maximum(r"\sBound\s|\sActive\s+\d|\sReady\s+\S*\s+\d+d", "entries in order", shown=5),
        ),
        re.compile(
            r"^(?:NAMESPACE\s+)?NAME\s+(?:READY|STATUS|TYPE|DESIRED|CLASS|DATA|AGE)"
            r"|^LAST SEEN\s+TYPE\s+REASON"
        ),
    ),
    Family(
        "kubectl describe",
        (("kubectl", "describe"), ("oc", "describe")),
        (
            standard(
                r"^\s*(?:Tolerations:|QoS Class:|Service Account:|Optional:|ConfigMapOptional:|DownwardAPI:"
                r"|TokenExpirationSeconds:|ConfigMapName:)",
                "defaults",
            ),
            standard(r"^\s+\S+:\S*(?:NoSchedule|NoExecute) op=Exists", "defaults"),
            standard(r":\s+<(?:none|unset)>$", "empty fields"),
            standard(r"^\s+Normal\s", "normal events", shown=3),
            maximum(r"^\s+(?:Image ID|Container ID|Annotations|Labels|Started|HostPort|Host Port):", "details"),
        ),
        re.compile(r"^(?:Node-Selectors|Tolerations|QoS Class|Service Account):\s"),
    ),
    Family(
        "kubectl apply",
        (
            ("kubectl", "apply"),
            ("kubectl", "create"),
            ("kubectl", "delete"),
            ("kubectl", "rollout"),
            ("kubectl", "wait"),
        ),
        (
            standard(r"^\S+/\S+ unchanged(?: \(.*\))?$", "unchanged objects"),
            lite(r"^Waiting for (?:deployment|daemon set|statefulset|\d+ pods?|partitioned)", "progress"),
        ),
        re.compile(r"^[\w.-]+/\S+ (?:created|configured|unchanged|deleted)$"),
    ),
    Family(
        "helm",
        (("helm",),),
        (
            lite(
                r"^Hang tight|^\.\.\.Successfully got an update|^Getting updates for unmanaged"
                r"|^Saving \d+ charts|^Downloading \S+ from repo|^Deleting outdated charts",
                "steps",
            ),
            standard(r"^(?:TEST SUITE: None|REVISION: 1|NAMESPACE: default)$", "defaults"),
            maximum(r"\sdeployed\s+\S+", "deployed releases", shown=5),
        ),
        re.compile(r"^\.\.\.Successfully got an update|^NAME: \S+$|^LAST DEPLOYED: "),
    ),
)
