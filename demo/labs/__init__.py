"""One room a lab: nobody imports a neighbour's."""
