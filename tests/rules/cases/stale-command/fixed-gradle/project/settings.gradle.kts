rootProject.name = "shop"

include(":app")
include(
    ":core:model", // data
    ":core:net",
)
