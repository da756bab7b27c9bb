"""The frameworks whose versions are compared with manifests, by the name that people write."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Ecosystem(NamedTuple):
    """The manifests of a package manager, and the packages of each framework.

    ``manifests`` are file names, ``*.csproj`` all files with this ending. The first one of a folder
    that declares a package counts. ``frameworks`` are packages by the name that people write.
    """

    manifests: tuple[str, ...]
    frameworks: Mapping[str, tuple[str, ...]]


_ROUTER = ("react-router", "react-router-dom")
_INERTIA = ("@inertiajs/vue3", "@inertiajs/react", "@inertiajs/svelte", "@inertiajs/core")
_TYPESCRIPT_ESLINT = (
    "typescript-eslint",
    "@typescript-eslint/eslint-plugin",
    "@typescript-eslint/parser",
)
_NPM = {
    "Angular": ("@angular/core",),
    "Ant Design": ("antd",),
    "Astro": ("astro",),
    "Axios": ("axios",),
    "Biome": ("@biomejs/biome",),
    "Bootstrap": ("bootstrap",),
    "Capacitor": ("@capacitor/core",),
    "Cypress": ("cypress",),
    "DaisyUI": ("daisyui",),
    "Electron": ("electron",),
    "ESLint": ("eslint",),
    "Expo": ("expo",),
    "Expo SDK": ("expo",),
    "Express": ("express",),
    "Fastify": ("fastify",),
    "Framer Motion": ("framer-motion", "motion"),
    "Hono": ("hono",),
    "Inertia": _INERTIA,
    "Inertia.js": _INERTIA,
    "Jest": ("jest",),
    "Mantine": ("@mantine/core",),
    "Mongoose": ("mongoose",),
    "MSW": ("msw",),
    "MUI": ("@mui/material",),
    "NestJS": ("@nestjs/core",),
    "Next.js": ("next",),
    "NextAuth": ("next-auth",),
    "NextAuth.js": ("next-auth",),
    "Nuxt": ("nuxt",),
    "Nx": ("nx",),
    "Pinia": ("pinia",),
    "Playwright": ("@playwright/test", "playwright"),
    "Prettier": ("prettier",),
    "Prisma": ("prisma", "@prisma/client"),
    "React": ("react",),
    "React Hook Form": ("react-hook-form",),
    "React Native": ("react-native",),
    "React Query": ("@tanstack/react-query", "react-query"),
    "React Router": _ROUTER,
    "React Router DOM": ("react-router-dom", "react-router"),
    "react-router": _ROUTER,
    "Redux Toolkit": ("@reduxjs/toolkit",),
    "RxJS": ("rxjs",),
    "Storybook": ("storybook",),
    "Svelte": ("svelte",),
    "SvelteKit": ("@sveltejs/kit",),
    "Tailwind": ("tailwindcss",),
    "Tailwind CSS": ("tailwindcss",),
    "TailwindCSS": ("tailwindcss",),
    "TanStack Query": ("@tanstack/react-query", "@tanstack/vue-query", "@tanstack/svelte-query"),
    "TanStack Router": ("@tanstack/react-router",),
    "tRPC": ("@trpc/server", "@trpc/client"),
    "Turborepo": ("turbo",),
    "TypeScript": ("typescript",),
    "TypeScript ESLint": _TYPESCRIPT_ESLINT,
    "typescript-eslint": _TYPESCRIPT_ESLINT,
    "Vite": ("vite",),
    "VitePress": ("vitepress",),
    "Vitest": ("vitest",),
    "Vue": ("vue",),
    "Vue Router": ("vue-router",),
    "Webpack": ("webpack",),
    "Zod": ("zod",),
    "Zustand": ("zustand",),
    # ``packageManager`` declares one with its version: ``pnpm@10.1.0``. With "@", because a
    # package.json can also have a dependency called ``pnpm``.
    "npm": ("npm@",),
    "pnpm": ("pnpm@",),
    "Yarn": ("yarn@",),
    "yarn": ("yarn@",),
    "Bun": ("bun@",),
}
_COMPOSER = {
    "CakePHP": ("cakephp/cakephp",),
    "Filament": ("filament/filament",),
    "Laravel": ("laravel/framework",),
    "Livewire": ("livewire/livewire",),
    "Pest": ("pestphp/pest",),
    "PHPStan": ("phpstan/phpstan",),
    "PHPUnit": ("phpunit/phpunit",),
    "Symfony": ("symfony/framework-bundle", "symfony/symfony"),
}
_CARGO = {
    "Actix Web": ("actix-web",),
    "Axum": ("axum",),
    "axum": ("axum",),
    "Bevy": ("bevy",),
    "Clap": ("clap",),
    "Diesel": ("diesel",),
    "Dioxus": ("dioxus",),
    "Leptos": ("leptos",),
    "Ratatui": ("ratatui",),
    "ratatui": ("ratatui",),
    "SQLx": ("sqlx",),
    "sqlx": ("sqlx",),
    "Tauri": ("tauri",),
    "Tokio": ("tokio",),
    "tokio": ("tokio",),
}
_PYTHON = {
    "Celery": ("celery",),
    "Django": ("django",),
    "Django REST Framework": ("djangorestframework",),
    "FastAPI": ("fastapi",),
    "Flask": ("flask",),
    "NumPy": ("numpy",),
    "pandas": ("pandas",),
    "Pydantic": ("pydantic",),
    "PyTorch": ("torch",),
    "SQLAlchemy": ("sqlalchemy",),
    "Streamlit": ("streamlit",),
    "Textual": ("textual",),
}
_MIX = {
    "Absinthe": ("absinthe",),
    "Ash": ("ash",),
    "Ecto": ("ecto", "ecto_sql"),
    "LiveView": ("phoenix_live_view",),
    "Oban": ("oban",),
    "Phoenix": ("phoenix",),
    "Phoenix LiveView": ("phoenix_live_view",),
}
_GEMS = {
    "Rails": ("rails",),
    "Ruby on Rails": ("rails",),
    "Sidekiq": ("sidekiq",),
    "Sinatra": ("sinatra",),
}
_GO = {
    "Bubble Tea": ("github.com/charmbracelet/bubbletea",),
    "Cobra": ("github.com/spf13/cobra",),
    "controller-runtime": ("sigs.k8s.io/controller-runtime",),
    "Echo": ("github.com/labstack/echo",),
    "Fiber": ("github.com/gofiber/fiber",),
    "Gin": ("github.com/gin-gonic/gin",),
    "Ginkgo": ("github.com/onsi/ginkgo",),
    "GORM": ("gorm.io/gorm",),
    "Wails": ("github.com/wailsapp/wails",),
}
_DOTNET = {
    ".NET": ("TargetFramework",),
    "ASP.NET Core": ("TargetFramework",),
    "EF Core": ("Microsoft.EntityFrameworkCore",),
    "Entity Framework Core": ("Microsoft.EntityFrameworkCore",),
}
_ANDROID_PLUGIN = ("com.android.application", "com.android.library")
_SERIALIZATION = (
    "org.jetbrains.kotlinx:kotlinx-serialization-json",
    "org.jetbrains.kotlinx:kotlinx-serialization-core",
)
_JVM = {
    # `manifest_ranges` has these names for the plugins and properties of a build file.
    "Kotlin": ("Kotlin",),
    "Ktor": ("Ktor",),
    "Quarkus": ("Quarkus",),
    "Spring Boot": ("Spring Boot",),
    # Only a version catalog is read for libraries and other plugins.
    "AGP": _ANDROID_PLUGIN,
    "Android Gradle Plugin": _ANDROID_PLUGIN,
    "Hilt": ("com.google.dagger:hilt-android",),
    "Koin": ("io.insert-koin:koin-core", "io.insert-koin:koin-android"),
    "kotlinx.serialization": _SERIALIZATION,
    "MockK": ("io.mockk:mockk",),
    "mockk": ("io.mockk:mockk",),
    "OkHttp": ("com.squareup.okhttp3:okhttp",),
    "Retrofit": ("com.squareup.retrofit2:retrofit",),
    "Room": ("androidx.room:room-runtime", "androidx.room:room-ktx"),
    "WorkManager": ("androidx.work:work-runtime-ktx", "androidx.work:work-runtime"),
}
ECOSYSTEMS = (
    Ecosystem(("package.json",), _NPM),
    Ecosystem(("composer.json",), _COMPOSER),
    Ecosystem(("Cargo.toml",), _CARGO),
    Ecosystem(("pyproject.toml", "requirements.txt"), _PYTHON),
    Ecosystem(("mix.exs",), _MIX),
    Ecosystem(("Gemfile.lock", "Gemfile"), _GEMS),
    Ecosystem(("go.mod",), _GO),
    Ecosystem(("Directory.Packages.props", "Directory.Build.props", "*.csproj"), _DOTNET),
    Ecosystem(("libs.versions.toml", "build.gradle.kts", "build.gradle", "pom.xml"), _JVM),
    Ecosystem(("gradle-wrapper.properties",), {"Gradle": ("Gradle",)}),
)
WORDS = frozenset({"room"})
"""Names, in lower case, that are also words: with a major version only, they may be no framework.
"""
NAMES = {name: ecosystem for ecosystem in ECOSYSTEMS for name in ecosystem.frameworks}
"""The ecosystem of each name."""
