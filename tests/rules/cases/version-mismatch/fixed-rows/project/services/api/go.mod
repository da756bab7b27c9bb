module tides

go 1.25
