"""The identical twins of the native kernels, without compiled code of our own."""

from ctxsieve._kernels.pure.edges import build_csr
from ctxsieve._kernels.pure.heat import heat
from ctxsieve._kernels.pure.heat_graph import HeatGraph
from ctxsieve._kernels.pure.louvain import louvain
from ctxsieve._kernels.pure.mmr import mmr
from ctxsieve._kernels.pure.mmr_in_order import mmr_in_order
from ctxsieve._kernels.pure.pagerank import pagerank
from ctxsieve._kernels.pure.rrf import rrf
from ctxsieve._kernels.pure.surprise import surprise

__all__ = ["HeatGraph", "build_csr", "heat", "louvain", "mmr", "mmr_in_order", "pagerank", "rrf", "surprise"]
