import sys

from omb_charts.cli import main

sys.exit(main())
