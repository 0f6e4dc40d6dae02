"""Advanced conflict (War of Ashes: Advanced Conflict): zones, weight, roar and turn order, one room each."""
