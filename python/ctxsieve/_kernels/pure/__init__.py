"""The identical twins of the native kernels, without compiled code of our own."""
