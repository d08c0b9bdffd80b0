"""Looking closer: the numbers of a step, explanations, gradients, alignments, vectors, likelihoods."""
