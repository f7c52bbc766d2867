"""What several workloads share: generators of graphs, matrices and images."""
