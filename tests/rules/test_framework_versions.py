"""AM505 and AM507: versions in memory, compared with the manifests of several package managers."""

from __future__ import annotations

import pytest

from agent_memory.lint.engine import check
from agent_memory.lint.shared.manifest_ranges import Range, ranges
from kit import project

CARGO = (
    '[package]\nname = "a"\nrust-version = "1.85"\n[dependencies]\naxum = "0.8.1"\ntokio = "1.40"\n'
)
COMPOSER = (
    '{"require": {"php": "^8.3|^8.4", "laravel/framework": "^12.0"},'
    ' "require-dev": {"pestphp/pest": "~3.8.2"}}'
)
PYPROJECT = (
    '[project]\ndependencies = ["Django>=5.0", "fastapi~=0.115.2", "pydantic[email]==2.9.1"]\n'
)
MIX = 'elixir: "~> 1.17",\n{:phoenix, "~> 1.7.14"},\n{:phoenix_live_view, "~> 0.20"},\n'
LOCK = "GEM\n  specs:\n    rails (8.0.2)\n      actioncable (= 8.0.2)\n"
GO = (
    "module a\n\nrequire (\n\tsigs.k8s.io/controller-runtime v0.24.1\n"
    "\tgithub.com/labstack/echo/v5 v5.1.0\n\tgithub.com/acme/sails/v3 v3.2.1\n"
    "\tgorm.io/gorm v1.25.0 // indirect\n)\n"
)
CSPROJ = (
    "<Project><TargetFramework>net9.0</TargetFramework>"
    '<PackageReference Include="Microsoft.EntityFrameworkCore" Version="9.0.4" /></Project>'
)
CHARTS = '{"dependencies": {"@acme/charts": "^3.1.0", "vue": "^3.3.4"}}'
INERTIA = '{"dependencies": {"@inertiajs/react": "3.0.0-beta.5"}}'
MOBILE = '{"dependencies": {"expo": "~54.0.2", "react-native": "0.81.4", "react": "19.1.0"}}'
NODE = '{"engines": {"node": ">=24.0.0"}}'
CATALOG = (
    '[versions]\nkotlin = "2.1.0"\nspring-boot = "3.4.1"\nhilt = "1.2.0"\ndi = "2.59.2"\n'
    'db = { strictly = "2.7.0" }\n[libraries]\n'
    'hilt-work = { group = "androidx.hilt", name = "hilt-work", version.ref = "hilt" }\n'
    'hilt = { group = "com.google.dagger", name = "hilt-android", version.ref = "di" }\n'
    'room = { module = "androidx.room:room-runtime", version = "2.7.0" }\n'
    'work = "androidx.work:work-runtime-ktx:2.9.0"\nnone = { module = "a:b" }\n'
    '[plugins]\napp = { id = "com.android.application", version = { ref = "kotlin" } }\n'
)
WRAPPER = "distributionUrl=https\\://services.gradle.org/distributions/gradle-9.4.0-bin.zip\n"
PLUGINS = (
    'plugins {\n    kotlin("jvm") version "2.2.0"\n'
    '    id("org.springframework.boot") version "3.5.0"\n}\n'
)
POM = "<artifactId>spring-boot-starter-parent</artifactId>\n  <version>3.4.1</version>"


@pytest.mark.parametrize(
    ("manifest", "text", "stated", "fact"),
    [
        ("Cargo.toml", CARGO, "Axum 0.7", "axum 0.8.1, not version 0.7"),
        ("Cargo.toml", CARGO, "axum 0.9", "axum 0.8.1, not version 0.9"),
        ("composer.json", COMPOSER, "Laravel 11", "laravel/framework ^12.0, not version 11"),
        ("composer.json", COMPOSER, "Pest 3.9", "pestphp/pest ~3.8.2, not version 3.9"),
        ("pyproject.toml", PYPROJECT, "Django 4.2", "django >=5.0, not version 4.2"),
        ("pyproject.toml", PYPROJECT, "FastAPI 0.110", "fastapi ~=0.115.2, not version 0.110"),
        ("pyproject.toml", PYPROJECT, "Pydantic v1", "pydantic ==2.9.1, not version 1"),
        ("requirements.txt", "Flask==3.0.1  # web\n", "Flask 2", "flask ==3.0.1, not version 2"),
        ("mix.exs", MIX, "Phoenix 1.8", "phoenix ~> 1.7.14, not version 1.8"),
        ("Gemfile.lock", LOCK, "Rails 7.1", "rails 8.0.2, not version 7.1"),
        ("Gemfile", 'gem "rails", "~> 8.0"\n', "Rails 7", "rails ~> 8.0, not version 7"),
        ("go.mod", GO, "Echo v4", "github.com/labstack/echo v5.1.0, not version 4"),
        ("go.mod", GO, "controller-runtime v0.23", "v0.24.1, not version 0.23"),
        ("go.mod", GO, "Uses sigs.k8s.io/controller-runtime v0.23", "v0.24.1, not version 0.23"),
        ("go.mod", GO, "Drawn with acme/sails v3.0.0", "acme/sails v3.2.1, not version 3.0.0"),
        ("go.mod", GO, "**`acme/sails`** v3.0.0 draws", "acme/sails v3.2.1, not version 3.0.0"),
        ("go.mod", GO, "Key: `sigs.k8s.io/controller-runtime` v0.23", "not version 0.23"),
        ("go.mod", GO, "acme/sails v2 · pages (no cache) · Echo v5, not v4", "not version 2"),
        ("Cargo.toml", CARGO, "Routes: **`Axum`** 0.7", "axum 0.8.1, not version 0.7"),
        ("package.json", CHARTS, "@acme/charts v2", "@acme/charts ^3.1.0, not version 2"),
        ("package.json", CHARTS, "`@acme/charts` v2.4", "charts ^3.1.0, not version 2.4"),
        ("package.json", CHARTS, "vue (VUE) - v2", "vue ^3.3.4, not version 2"),
        ("package.json", CHARTS, "@acme/charts (CHARTS_VUE) - v2", "^3.1.0, not version 2"),
        ("composer.json", COMPOSER, "laravel/framework (LARAVEL) - v11", "not version 11"),
        ("composer.json", COMPOSER, "laravel/framework v11", "framework ^12.0, not version 11"),
        ("a/A.csproj", CSPROJ, ".NET 8", "TargetFramework net9.0, not version 8"),
        ("a/A.csproj", CSPROJ, "EF Core 8", "EntityFrameworkCore 9.0.4, not version 8"),
        ("gradle/libs.versions.toml", CATALOG, "Kotlin 1.9", "Kotlin 2.1.0, not version 1.9"),
        (
            "gradle/libs.versions.toml",
            CATALOG,
            "Hilt 2.51.1",
            "hilt-android 2.59.2, not version 2.51.1",
        ),
        ("gradle/libs.versions.toml", CATALOG, "Room 2.6.1 (SQLite)", "2.7.0, not version 2.6.1"),
        (
            "gradle/libs.versions.toml",
            CATALOG,
            "WorkManager 2.8",
            "runtime-ktx 2.9.0, not version 2.8",
        ),
        ("gradle/libs.versions.toml", CATALOG, "AGP 8.2", "application 2.1.0, not version 8.2"),
        (
            "gradle/wrapper/gradle-wrapper.properties",
            WRAPPER,
            "Gradle 8.13",
            "9.4.0, not version 8.13",
        ),
        (
            "gradle-wrapper.properties",
            WRAPPER,
            "Gradle 9.3 with Kotlin DSL",
            "9.4.0, not version 9.3",
        ),
        ("build.gradle.kts", PLUGINS, "Kotlin 1.9", "Kotlin 2.2.0, not version 1.9"),
        ("build.gradle.kts", PLUGINS, "Spring Boot 2.7", "Spring Boot 3.5.0, not version 2.7"),
        ("pom.xml", "<quarkus.platform.version>3.15.1<", "Quarkus 2", "3.15.1, not version 2"),
        ("pom.xml", POM, "Spring Boot 3.2", "Spring Boot 3.4.1, not version 3.2"),
        ("package.json", MOBILE, "Expo SDK 52", "expo ~54.0.2, not version 52"),
        ("package.json", MOBILE, "React Native 0.76", "native 0.81.4, not version 0.76"),
        ("package.json", INERTIA, "Inertia.js v2", "react 3.0.0-beta.5, not version 2"),
        ("Gemfile.lock", LOCK, "Rails 7.1を使用", "rails 8.0.2, not version 7.1"),
        ("Gemfile.lock", LOCK, "Rails 7.xで動く", "rails 8.0.2, not version 7"),
    ],
)
def test_another_version_than_that_of_the_manifest(tmp_path, manifest, text, stated, fact):
    (finding,) = found(tmp_path, {manifest: text}, stated)
    assert finding.code == "AM507"
    assert finding.fact.startswith(f"{manifest} has ")
    assert finding.fact.endswith(fact)


@pytest.mark.parametrize(
    ("manifest", "text", "stated"),
    [
        ("Cargo.toml", CARGO, "Axum 0.8, tokio 1.42, Tauri 1"),
        ("composer.json", COMPOSER, "Laravel 12.x, Pest 3.8"),
        ("pyproject.toml", PYPROJECT, "Django 5.2, FastAPI 0.115.9, Pydantic 2.9"),
        ("mix.exs", MIX, "Phoenix 1.7, LiveView 0.21, Ecto 2"),
        ("package.json", MOBILE, "Expo SDK 54, React Native 0.81, React 19, React Native Maps 1"),
        ("package.json", INERTIA, "Inertia 3.0, Inertia.js v3"),
        ("Gemfile.lock", LOCK, "Rails 8, Rails 8.0"),
        ("go.mod", GO, "Echo v5, controller-runtime v0.24, GORM 2"),
        ("go.mod", GO, "acme/sails v3.0, other/sails v3.1.0, pkg/acme/sails v2, @acme/sails v2"),
        ("a/A.csproj", "<TargetFrameworks>net8.0;net9.0</TargetFrameworks>", ".NET 8, .NET 9"),
        ("a/A.csproj", "<TargetFramework>netstandard2.0</TargetFramework>", ".NET 9"),
        ("a/A.csproj", CSPROJ, "Built with the .NET 10 SDK, the **.NET 11** SDK, .NET 8 SDK"),
        ("gradle/libs.versions.toml", CATALOG, "Kotlin 2.1, Spring Boot 3.4, Hilt 2.59"),
        ("gradle/libs.versions.toml", CATALOG, "In room 4, Room 3 and Room 2 of the chat"),
        ("gradle-wrapper.properties", WRAPPER, "Gradle 9.4, Gradle 8+"),
        ("gradle-wrapper.properties", "distributionUrl=https\\://a.org/gradle.zip\n", "Gradle 8"),
        ("go.mod", GO, "`go get acme/sails` v2, `acme/sails` has v2 of its protocol"),
        ("go.mod", GO, "acme/sails v2 is not used · Echo v5"),
        ("Cargo.toml", CARGO, "`cargo add Axum` 9 times, `Axum 0.8`, `axum` (0.7 s)"),
        ("package.json", CHARTS, "`@acme/charts` 2 of 3, @acme/maps v9, vue (VUE) - v3"),
        ("Gemfile.lock", LOCK, "Rails 7から移行した"),
        ("Gemfile.lock", LOCK, "Rails 7以上"),
        ("Gemfile.lock", LOCK, "Rails 7升级而来"),
    ],
)
def test_a_version_in_the_range_of_the_manifest(tmp_path, manifest, text, stated):
    assert found(tmp_path, {manifest: text}, stated) == []


@pytest.mark.parametrize(
    ("above", "stated", "expected"),
    [
        ("We upgraded from Laravel 10 in spring.", "## Laravel 10 Structure", []),
        (
            "The shop was migrated step by step from **Laravel 10**.",
            "- Laravel 10 folder layout",
            [],
        ),
        ("We upgraded from Laravel 10 in spring.", "- The API: Laravel 10", ["AM507"]),
        ("We upgraded from Laravel 9 in spring.", "## Laravel 10 Structure", ["AM507"]),
        ("We read from Laravel 10 pages.", "## Laravel 10 Structure", ["AM507"]),
        ("## Laravel 12, not Laravel 10", "The Laravel 10 spelling still works.", []),
        ("## Laravel 12, not Laravel 10", "- The API: Laravel 10", ["AM507"]),
        ("## Laravel 12, not Laravel 9", "The Laravel 10 spelling still works.", ["AM507"]),
    ],
)
def test_the_structure_of_a_version_that_the_project_left(tmp_path, above, stated, expected):
    text = f"# Shop\n\n{above}\n\n{stated}\n\n- Handlers are in `app`.\n"
    ctx = project(tmp_path, {"composer.json": COMPOSER, "AGENTS.md": text, "app/a": ""}, {})
    findings = check(ctx, runtime_id="deepagents-code").findings
    assert [item.code for item in findings] == expected


NPM = (
    '{"devDependencies": {"typescript": "~6.0.3", "nx": "22.7.8", "react": "^19.2.0"},'
    ' "packageManager": "pnpm@10.2.1"}'
)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("- **TypeScript**: `~5.9.2`", ["5.9"]),
        ("- **Nx:** 22.4.5 (monorepo)", ["22.4.5"]),
        ("* React: ^18.2, with hooks", ["18"]),
        ("- `pnpm`: v9", ["9"]),
        ("- React ^18.2 and TypeScript ^5", ["18", "5"]),
        ("- **TypeScript**: `~6.0.3`\n- **Nx**: `22.7.8`\n- React: 19", []),
        ("- React ^19.1.0\n- Nx ~3 times\n- TypeScript: ~6.0.1", []),
        ("- React: 18+\n- React: >=18\n- React: 17, 18 and 19\n- React: 17-19", []),
        ("- Nx: 3 apps\n- TypeScript: 5 MB\n- Vue: 2", []),
        ("- Steps of React: 18\n- serde: 1.0\n- React: 18.2 → 19\nReact: 18", []),
    ],
)
def test_an_item_with_a_version(tmp_path, stated, expected):
    findings = found(tmp_path, {"package.json": NPM}, f"Stack\n\n{stated}\n\nIn use: 3")
    assert [item.fact.rpartition(" ")[2] for item in findings] == expected


ROWS = (
    "| `tokio` | 1.38 |\n| axum | **0.8.x** |\n| **Clap** | 4 |\n| `serde` | 1.0 |\n"
    "| Tauri | latest |\n| tokio | 1.38 MB |\n"
)


@pytest.mark.parametrize(
    ("head", "expected"),
    [("| Crate | Version |", ["1.38"]), ("| Caja | Versión |", ["1.38"]), ("| Crate | Time |", [])],
)
def test_a_table_of_versions(tmp_path, head, expected):
    text = f"# Shop\n\n{head}\n|---|---|\n{ROWS}"
    ctx = project(tmp_path, {"Cargo.toml": CARGO, "AGENTS.md": text}, {})
    findings = check(ctx, runtime_id="deepagents-code").findings
    assert [fix.edits[0].text for item in findings for fix in item.fixes] == ["1.40"] * len(
        expected
    )
    lines = text.splitlines()
    spans = [item.span for item in findings]
    assert [lines[span.line][span.start : span.end] for span in spans] == expected


@pytest.mark.parametrize(
    ("manifest", "text", "old", "new"),
    [
        ("composer.json", COMPOSER, "PHP 8.2", "PHP 8.3"),
        ("mix.exs", MIX, "Elixir 1.15", "Elixir 1.18"),
        ("Cargo.toml", CARGO, "Rust 1.75+", "Rust 1.85+"),
        (".ruby-version", "ruby-3.4.1\n", "Ruby 3.2", "Ruby 3.4"),
        ("go.mod", "module a\n\ngo 1.26.1\n", "The shop app uses Go 1.24.0.", "We use Go 1.26"),
        ("package.json", NODE, "**Node.js compatibility**: Minimum version 20.1", "Node 24"),
        ("package.json", NODE, "Node version: 22", "Node version: 24"),
    ],
)
def test_a_language_that_is_too_old_for_the_manifest(tmp_path, manifest, text, old, new):
    (finding,) = found(tmp_path / "old", {manifest: text}, old)
    assert finding.code == "AM505"
    assert found(tmp_path / "new", {manifest: text}, new) == []


@pytest.mark.parametrize(
    "text",
    [
        "The app uses Node 20 in one of the images.",
        "Each server uses Node 20 syntax.",
        "Node 20 compatibility: kept by the bundler.",
        "An app used Node 20.",
    ],
)
def test_a_version_that_the_project_does_not_run_on(tmp_path, text):
    assert found(tmp_path, {"package.json": NODE}, text) == []


XCODE = (
    'IPHONEOS_DEPLOYMENT_TARGET = 26.1;\n"IPHONEOS_DEPLOYMENT_TARGET[sdk=iphoneos*]" = 26.2;\n'
    "MACOSX_DEPLOYMENT_TARGET = 15.0;\nXROS_DEPLOYMENT_TARGET = 2.0;\nSDKROOT = auto;\n"
    "OTHER_DEPLOYMENT_TARGET = 1.0;\n"
)
SWIFT = 'platforms: [.iOS(.v17), .macOS("14.2"), .tvOS(.v16_4)],\n'


@pytest.mark.parametrize(
    ("files", "stated", "expected"),
    [
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "**Platforms**: iOS 26.0+", ["26.0"]),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Platforms: iOS 18, macOS 14+", ["18", "14"]),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Deployment target: iOS 17.0", ["17.0"]),
        (
            {"Package.swift": SWIFT},
            "Minimum: iOS 16, tvOS 16.2, macOS 14.0",
            ["16", "16.2", "14.0"],
        ),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Platforms: iOS 26.1+, visionOS 2+", []),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Platforms: iOS 26, iOS 27+, tvOS 1", []),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Charts requires iOS 16+", []),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "Platforms: charts (iOS 16+)", []),
        ({"Shop.xcodeproj/project.pbxproj": XCODE}, "iOS 16+", []),
        ({"Package.swift": "// no platforms\n"}, "Platforms: iOS 12+", []),
        ({"a.txt": ""}, "Platforms: iOS 12+", []),
        (
            {
                "Shop.xcodeproj/project.pbxproj": XCODE,
                "Configs/app.xcconfig": "IPHONEOS_DEPLOYMENT_TARGET = 17.0\n",
            },
            *("Platforms: iOS 17+", []),
        ),
        ({f"{n}/A.xcodeproj/project.pbxproj": XCODE for n in range(21)}, "Platforms: iOS 9", []),
    ],
)
def test_a_platform_that_is_too_old_for_the_apps(tmp_path, files, stated, expected):
    findings = found(tmp_path, files, stated)
    assert [item.code for item in findings] == ["AM505"] * len(expected)
    assert [item.fact.split(": version ")[1].split()[0] for item in findings] == expected


@pytest.mark.parametrize(
    ("requirement", "count"),
    [("<=3.13,>=3.9", 0), ("<=3.13", 0), ("!=3.11.2,>=3.9", 0), (">=3.11,<=3.13", 1)],
)
def test_the_upper_end_of_a_range_is_not_its_oldest_version(tmp_path, requirement, count):
    text = f'[project]\nrequires-python = "{requirement}"\n'
    assert len(found(tmp_path, {"pyproject.toml": text}, "Python 3.10")) == count


def found(root, files, stated):
    ctx = project(root, {**files, "AGENTS.md": f"# Shop\n\n- {stated}\n"}, {})
    return list(check(ctx, runtime_id="deepagents-code").findings)


@pytest.mark.parametrize(
    ("name", "text", "fixed"),
    [
        ("package.json", '{"dependencies": {"a": "^1.2.3"}}', 1),
        ("package.json", '{"dependencies": {"a": "^0.2.3"}}', 2),
        ("package.json", '{"dependencies": {"a": "~1.2.3"}}', 2),
        ("package.json", '{"dependencies": {"a": "1.2.3"}}', 3),
        ("package.json", '{"dependencies": {"a": ">=1.2.3"}}', 0),
        ("package.json", '{"dependencies": {"a": "1 || 2"}}', 1),
        ("mix.exs", '{:a, "~> 0.2"}', 0),
        ("mix.exs", '{:a, "~> 1.2"}', 1),
    ],
)
def test_numbers_that_all_versions_of_a_range_share(name, text, fixed):
    assert ranges(name, text)["a"].fixed == fixed


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("composer.json", '{"require": {"a/b": "~2.1", "c/d": 1}}', {"a/b": "~2.1"}),
        ("package.json", '{"devDependencies": {"a": "1", "b": {}}}', {"a": "1"}),
        ("Cargo.toml", '[dependencies]\na = { version = "1.2" }\nb = { path = "b" }', {"a": "1.2"}),
        ("Cargo.toml", '[workspace.dependencies]\na = "0.3"', {"a": "0.3"}),
        (
            "pyproject.toml",
            (
                '[project]\ndependencies = ["A_b>=1.2", "c"]\n'
                '[project.optional-dependencies]\ndev = ["d==3.1"]\nodd = "e==1"'
            ),
            {"a-b": ">=1.2", "d": "==3.1"},
        ),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\nA = "^2.0"\nb = { version = "~1.4" }\nc = { git = "x" }',
            {"a": "^2.0", "b": "~1.4"},
        ),
        (
            "libs.versions.toml",
            '[versions]\nspring-boot = "3.4.1"\nother = "1.0"\nktor = { strictly = "3" }',
            {"Spring Boot": "3.4.1"},
        ),
        ("libs.versions.toml", '[libraries]\na = 1\nb = "c"\nd = { version.ref = "e" }', {}),
    ],
)
def test_packages_of_a_manifest(name, text, expected):
    assert {package: each.text for package, each in ranges(name, text).items()} == expected


@pytest.mark.parametrize("name", ["package.json", "composer.json", "Cargo.toml", "pyproject.toml"])
@pytest.mark.parametrize("text", ["", "{", "[", "[]", '{"dependencies": 1, "project": []}'])
def test_an_odd_manifest_declares_nothing(name, text):
    assert ranges(name, text) == {}


def test_a_text_without_a_version_is_not_declared():
    text = '{"dependencies": {"a": "workspace:*", "b": "latest", "c": "18"}, "packageManager": 1}'
    assert ranges("package.json", text) == {"c": Range("18", frozenset({18}), (), 1)}
