import type { Files } from './git-repositories.ts'

/** A small project of a framework with nothing configured but its type. */
export interface FrameworkProject {
  name: string
  type: 'NODEJS' | 'PYTHON'
  /** Start of the detection line in the log. */
  found: string
  files: Files
  /** A source file; the page shows its word. */
  source: { path: string; text: (word: string) => string }
  /** Path of the page. Default `/`. */
  page?: string
  /** A file referenced by the page, which must be served too. */
  names?: RegExp
  /** Slow or similar to another one: benchmark only. */
  isHeavy?: true
}

export const filesOf = ({ files, source }: FrameworkProject, word: string): Files => ({
  ...files,
  [source.path]: source.text(word)
})

type Versions = Readonly<Record<string, string>>

const manifest = (dependencies: Versions, scripts: Versions, more: object = {}): Files => ({
  'package.json': JSON.stringify({ name: 'site', version: '1.0.0', private: true, scripts, dependencies, ...more })
})

const html = (word: string) => `<!doctype html><title>site</title><h1>${word}</h1>\n`
const listen = (lines: string) => (word: string) => `${lines.replaceAll('WORD', word)}\n`
const svelteKit = {
  '@sveltejs/kit': '2.15.1',
  '@sveltejs/vite-plugin-svelte': '5.0.3',
  svelte: '5.16.1',
  vite: '6.0.7'
}
const svelteFiles = (adapter: string): Files => ({
  'svelte.config.js': `import adapter from '@sveltejs/adapter-${adapter}'\nexport default { kit: { adapter: adapter() } }\n`,
  'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite'\nexport default { plugins: [sveltekit()] }\n`,
  'src/app.html': '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n'
})
const svelteSource = { path: 'src/routes/+page.svelte', text: (word: string) => `<h1>${word}</h1>\n` }
const svelteScripts = { dev: 'vite dev', build: 'vite build', preview: 'vite preview' }
const astroSource = { path: 'src/pages/index.astro', text: (word: string) => `---\n---\n<html><body><h1>${word}</h1></body></html>\n` } // oxfmt-ignore
const astroScripts = { dev: 'astro dev', start: 'astro dev', build: 'astro build', preview: 'astro preview' }
const next = { next: '15.1.3', react: '19.0.0', 'react-dom': '19.0.0' }
const nextScripts = { dev: 'next dev', build: 'next build', start: 'next start' }
const nextSource = {
  path: 'pages/index.js',
  text: (word: string) => `export default function Page() {\n  return <h1>${word}</h1>\n}\n`
}
const nuxt = { nuxt: '3.17.7', vue: '3.5.17' }
const nuxtFiles = { 'nuxt.config.ts': 'export default defineNuxtConfig({ telemetry: false })\n' }
const nuxtSource = { path: 'app.vue', text: (word: string) => `<template><h1>${word}</h1></template>\n` }
const angular = {
  '@angular/common': '19.0.5',
  '@angular/compiler': '19.0.5',
  '@angular/core': '19.0.5',
  '@angular/platform-browser': '19.0.5',
  rxjs: '7.8.1',
  tslib: '2.8.1',
  'zone.js': '0.15.0'
}
const angularTools = {
  '@angular-devkit/build-angular': '19.0.6',
  '@angular/cli': '19.0.6',
  '@angular/compiler-cli': '19.0.5',
  typescript: '5.6.3'
}
const angularFiles = (options: object, types: readonly string[]): Files => ({
  'angular.json': JSON.stringify({
    version: 1,
    cli: { analytics: false },
    projects: {
      shop: {
        projectType: 'application',
        root: '',
        architect: {
          build: {
            builder: '@angular-devkit/build-angular:application',
            options: {
              outputPath: 'dist/shop',
              index: 'src/index.html',
              browser: 'src/main.ts',
              polyfills: ['zone.js'],
              tsConfig: 'tsconfig.json',
              ...options
            }
          }
        }
      }
    }
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      skipLibCheck: true,
      esModuleInterop: true,
      experimentalDecorators: true,
      moduleResolution: 'bundler',
      target: 'ES2022',
      module: 'ES2022',
      lib: ['ES2022', 'dom'],
      types
    },
    include: ['src/**/*.ts']
  })
})

/** Debian's Python packages, because no index is available. */
export const pythonImage = 'panel-test-python:1'
export const pythonDockerfile = `FROM python:3.13-slim-trixie
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-django python3-fastapi
`

/** Versions are pinned; update them row by row. */
export const frameworkProjects: readonly FrameworkProject[] = [
  {
    name: 'express',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, Express',
    files: manifest({ express: '4.21.2' }, { start: 'node server.js' }),
    source: {
      path: 'server.js',
      text: listen(
        `const app = require('express')()\napp.get('/', (request, response) => response.send('WORD'))\napp.listen(process.env.PORT)`
      )
    }
  },
  {
    name: 'fastify',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, Fastify',
    files: manifest({ fastify: '5.2.0' }, {}),
    source: {
      path: 'server.js',
      text: listen(
        `const app = require('fastify')()\napp.get('/', async () => 'WORD')\napp.listen({ host: '0.0.0.0', port: Number(process.env.PORT) })`
      )
    }
  },
  {
    name: 'koa',
    type: 'NODEJS',
    found: 'Node.js with npm, Koa, starts web process of the Procfile',
    files: { ...manifest({ koa: '2.15.3' }, {}), Procfile: 'web: node web.js\n' },
    source: {
      path: 'web.js',
      text: listen(
        `const Koa = require('koa')\nnew Koa().use((context) => { context.body = 'WORD' }).listen(process.env.PORT)`
      )
    }
  },
  {
    name: 'nest',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, NestJS',
    files: {
      ...manifest(
        {
          '@nestjs/common': '10.4.15',
          '@nestjs/core': '10.4.15',
          '@nestjs/platform-express': '10.4.15',
          'reflect-metadata': '0.2.2',
          rxjs: '7.8.1'
        },
        { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' },
        { devDependencies: { '@nestjs/cli': '10.4.9', typescript: '5.7.2' } }
      ),
      'nest-cli.json': JSON.stringify({ sourceRoot: 'src' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'commonjs',
          target: 'es2022',
          outDir: 'dist',
          rootDir: 'src',
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          skipLibCheck: true
        },
        include: ['src']
      }),
      'src/main.ts': `import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app'
declare const process: { env: Record<string, string> }
void NestFactory.create(AppModule).then((app) => app.listen(process.env.PORT))
`
    },
    source: {
      path: 'src/app.ts',
      text: listen(`import { Controller, Get, Module } from '@nestjs/common'
@Controller()
class Page {
  @Get()
  get() { return 'WORD' }
}
@Module({ controllers: [Page] })
export class AppModule {}`)
    }
  },
  {
    name: 'vite',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Vite',
    files: manifest({ vite: '6.0.7' }, { dev: 'vite', build: 'vite build', preview: 'vite preview' }),
    source: { path: 'index.html', text: html }
  },
  {
    name: 'sveltekit-node',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, SvelteKit (adapter-node)',
    files: {
      ...manifest({ ...svelteKit, '@sveltejs/adapter-node': '5.2.11' }, svelteScripts, { type: 'module' }),
      ...svelteFiles('node')
    },
    source: svelteSource
  },
  {
    name: 'sveltekit-auto',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, SvelteKit (adapter-auto)',
    files: {
      ...manifest({ ...svelteKit, '@sveltejs/adapter-auto': '3.3.1' }, svelteScripts, { type: 'module' }),
      ...svelteFiles('auto')
    },
    source: svelteSource
  },
  {
    name: 'sveltekit-static',
    type: 'NODEJS',
    isHeavy: true,
    found: 'a static site built by Node.js with npm, SvelteKit (adapter-static)',
    files: {
      ...manifest({ ...svelteKit, '@sveltejs/adapter-static': '3.0.8' }, svelteScripts, { type: 'module' }),
      ...svelteFiles('static'),
      'src/routes/+layout.js': 'export const prerender = true\n'
    },
    source: svelteSource
  },
  {
    name: 'eleventy',
    type: 'NODEJS',
    isHeavy: true,
    found: 'a static site built by Node.js with npm, Eleventy',
    files: manifest({ '@11ty/eleventy': '3.0.0' }, { start: 'eleventy --serve' }),
    source: { path: 'index.md', text: (word) => `# ${word}\n` }
  },
  {
    name: 'vitepress',
    type: 'NODEJS',
    isHeavy: true,
    found: 'a static site built by Node.js with npm, VitePress',
    files: {
      ...manifest({ vitepress: '1.5.0' }, { 'docs:dev': 'vitepress dev docs', 'docs:build': 'vitepress build docs' }),
      'docs/.vitepress/config.mjs': `export default { title: 'site' }\n`
    },
    source: { path: 'docs/index.md', text: (word) => `# ${word}\n` }
  },
  {
    name: 'react-router',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, React Router',
    files: {
      ...manifest(
        {
          '@react-router/node': '7.1.1',
          '@react-router/serve': '7.1.1',
          'react-router': '7.1.1',
          react: '19.0.0',
          'react-dom': '19.0.0',
          isbot: '5.1.19'
        },
        { build: 'react-router build', dev: 'react-router dev', start: 'react-router-serve ./build/server/index.js' },
        { type: 'module', devDependencies: { '@react-router/dev': '7.1.1', vite: '6.0.7', typescript: '5.7.2' } }
      ),
      'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'\nexport default { plugins: [reactRouter()] }\n`,
      'react-router.config.ts': 'export default { ssr: true }\n',
      'app/routes.ts': `import { index } from '@react-router/dev/routes'\nexport default [index('home.tsx')]\n`,
      'app/root.tsx': `import { Outlet, Scripts } from 'react-router'
export default function Root() {
  return <html><body><Outlet /><Scripts /></body></html>
}
`
    },
    source: { path: 'app/home.tsx', text: (word) => `export default function Home() {\n  return <h1>${word}</h1>\n}\n` }
  },
  {
    name: 'create-react-app',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Create React App',
    isHeavy: true,
    files: {
      ...manifest(
        { 'react-scripts': '5.0.1', react: '18.3.1', 'react-dom': '18.3.1' },
        { start: 'react-scripts start', build: 'react-scripts build' },
        { browserslist: ['last 1 chrome version'] }
      ),
      'src/index.js': ''
    },
    source: { path: 'public/index.html', text: (word) => `<!doctype html><h1>${word}</h1><div id="root"></div>\n` }
  },
  {
    name: 'hexo',
    type: 'NODEJS',
    isHeavy: true,
    found: 'a static site built by Node.js with npm, Hexo',
    files: {
      ...manifest(
        { hexo: '7.3.0', 'hexo-renderer-ejs': '2.0.0' },
        { server: 'hexo server' },
        { hexo: { version: '7.3.0' } }
      ),
      '_config.yml': 'title: site\nurl: http://example.com\ntheme: plain\n',
      'themes/plain/layout/page.ejs': '<%- page.content %>\n'
    },
    source: { path: 'source/index.html', text: (word) => `---\nlayout: page\n---\n<h1>${word}</h1>\n` }
  },
  {
    name: 'astro',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Astro',
    files: manifest({ astro: '5.1.2' }, astroScripts, { type: 'module' }),
    source: astroSource,
    isHeavy: true
  },
  {
    name: 'astro-node',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, Astro (node adapter), build script, starts the "start" script',
    files: {
      ...manifest(
        { astro: '5.1.2', '@astrojs/node': '9.0.0' },
        { ...astroScripts, start: 'node ./dist/server/entry.mjs' },
        { type: 'module' }
      ),
      'astro.config.mjs': `import node from '@astrojs/node'\nexport default { output: 'server', adapter: node({ mode: 'standalone' }) }\n`
    },
    source: astroSource
  },
  {
    name: 'next',
    type: 'NODEJS',
    found: 'Node.js with npm, Next.js, build script',
    files: manifest(next, nextScripts),
    source: nextSource,
    names: /\/_next\/static\/[^"]+\.js/,
    isHeavy: true
  },
  {
    name: 'next-standalone',
    type: 'NODEJS',
    isHeavy: true,
    found: 'Node.js with npm, Next.js (standalone), build script, starts the "start" script',
    files: {
      ...manifest(next, { ...nextScripts, start: 'node .next/standalone/server.js' }),
      'next.config.mjs': `export default { output: 'standalone' }\n`
    },
    source: nextSource,
    names: /\/_next\/static\/[^"]+\.js/
  },
  {
    name: 'next-export',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Next.js (static export)',
    files: { ...manifest(next, nextScripts), 'next.config.mjs': `export default { output: 'export' }\n` },
    source: nextSource,
    names: /\/_next\/static\/[^"]+\.js/,
    isHeavy: true
  },
  {
    name: 'nuxt',
    type: 'NODEJS',
    found: 'Node.js with npm, Nuxt',
    files: { ...manifest(nuxt, { dev: 'nuxt dev', build: 'nuxt build', generate: 'nuxt generate' }), ...nuxtFiles },
    source: nuxtSource,
    names: /\/_nuxt\/[^"]+\.js/,
    isHeavy: true
  },
  {
    name: 'nuxt-generate',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Nuxt (static)',
    // Newer versions reject the keys of this Nuxt's prerenderer.
    files: {
      ...manifest(nuxt, { dev: 'nuxt dev', build: 'nuxt generate' }, { overrides: { unstorage: '1.16.1' } }),
      ...nuxtFiles
    },
    source: nuxtSource,
    isHeavy: true
  },
  {
    name: 'remix',
    type: 'NODEJS',
    found: 'Node.js with npm, Remix',
    files: {
      ...manifest(
        {
          '@remix-run/node': '2.15.2',
          '@remix-run/react': '2.15.2',
          '@remix-run/serve': '2.15.2',
          react: '18.3.1',
          'react-dom': '18.3.1',
          isbot: '5.1.19'
        },
        { build: 'remix vite:build', dev: 'remix vite:dev', start: 'remix-serve ./build/server/index.js' },
        { type: 'module', devDependencies: { '@remix-run/dev': '2.15.2', vite: '5.4.11', typescript: '5.7.2' } }
      ),
      'vite.config.ts': `import { vitePlugin as remix } from '@remix-run/dev'\nexport default { plugins: [remix()] }\n`,
      'app/root.tsx': `import { Outlet, Scripts } from '@remix-run/react'
export default function Root() {
  return <html><body><Outlet /><Scripts /></body></html>
}
`
    },
    source: {
      path: 'app/routes/_index.tsx',
      text: (word) => `export default function Home() {\n  return <h1>${word}</h1>\n}\n`
    },
    names: /\/assets\/[^"]+\.js/,
    isHeavy: true
  },
  {
    name: 'vue-cli',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Vue CLI',
    files: {
      ...manifest(
        { vue: '3.5.13' },
        { serve: 'vue-cli-service serve', build: 'vue-cli-service build' },
        { devDependencies: { '@vue/cli-service': '5.0.8' }, browserslist: ['last 1 chrome version'] }
      ),
      'src/App.vue': '<template><p>started</p></template>\n',
      'src/main.js': `import { createApp } from 'vue'\nimport App from './App.vue'\ncreateApp(App).mount('#app')\n`
    },
    source: { path: 'public/index.html', text: (word) => `<!doctype html><h1>${word}</h1><div id="app"></div>\n` },
    names: /\/js\/[^"]+\.js/,
    isHeavy: true
  },
  {
    name: 'docusaurus',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Docusaurus',
    files: {
      ...manifest(
        {
          '@docusaurus/core': '3.6.3',
          '@docusaurus/preset-classic': '3.6.3',
          '@mdx-js/react': '3.1.0',
          react: '18.3.1',
          'react-dom': '18.3.1'
        },
        { start: 'docusaurus start', build: 'docusaurus build' },
        // Newer versions reject the options of its progress bar.
        { overrides: { webpack: '5.97.1' } }
      ),
      'docusaurus.config.js':
        "module.exports = { title: 'site', url: 'https://example.com', baseUrl: '/', presets: [['classic', { docs: false, blog: false }]] }\n"
    },
    source: { path: 'src/pages/index.md', text: (word) => `# ${word}\n` },
    isHeavy: true
  },
  {
    name: 'gatsby',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Gatsby',
    files: manifest(
      { gatsby: '5.14.1', react: '18.3.1', 'react-dom': '18.3.1' },
      { start: 'gatsby develop', build: 'gatsby build' },
      // Newer versions download binaries from GitHub.
      { overrides: { sharp: '0.33.5' } }
    ),
    source: {
      path: 'src/pages/index.js',
      text: (word) => `import * as React from 'react'\nexport default function Page() {\n  return <h1>${word}</h1>\n}\n`
    },
    isHeavy: true
  },
  {
    name: 'angular',
    type: 'NODEJS',
    found: 'a static site built by Node.js with npm, Angular',
    files: {
      ...manifest(angular, { start: 'ng serve', build: 'ng build' }, { devDependencies: angularTools }),
      ...angularFiles({}, []),
      'src/main.ts': `import { Component } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
@Component({ selector: 'app-root', template: '<p>started</p>' })
class App {}
void bootstrapApplication(App)
`
    },
    source: {
      path: 'src/index.html',
      text: (word) => `<!doctype html><html><body><h1>${word}</h1><app-root></app-root></body></html>\n`
    },
    isHeavy: true
  },
  {
    name: 'angular-ssr',
    type: 'NODEJS',
    found: 'Node.js with npm, Angular (SSR), build script, starts the "serve:ssr:shop" script',
    files: {
      ...manifest(
        {
          ...angular,
          '@angular/platform-server': '19.0.5',
          '@angular/router': '19.0.5',
          '@angular/ssr': '19.0.6',
          express: '4.21.2'
        },
        { start: 'ng serve', build: 'ng build', 'serve:ssr:shop': 'node dist/shop/server/server.mjs' },
        { devDependencies: { ...angularTools, '@types/express': '4.17.21', '@types/node': '20.17.10' } }
      ),
      ...angularFiles({ server: 'src/main.server.ts', ssr: { entry: 'src/server.ts' }, prerender: false }, ['node']),
      'src/index.html': '<!doctype html><html><body><app-root></app-root></body></html>\n',
      'src/main.ts': `import { bootstrapApplication } from '@angular/platform-browser'
import { App } from './app'
void bootstrapApplication(App)
`,
      'src/main.server.ts': `import { bootstrapApplication } from '@angular/platform-browser'
import { provideServerRendering } from '@angular/platform-server'
import { App } from './app'
export default () => bootstrapApplication(App, { providers: [provideServerRendering()] })
`,
      'src/server.ts': `import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommonEngine } from '@angular/ssr/node'
import express from 'express'
import bootstrap from './main.server'
const here = dirname(fileURLToPath(import.meta.url))
const engine = new CommonEngine()
const app = express()
app.use(express.static(join(here, '../browser'), { index: false }))
app.get('**', (request, response, next) => {
  const url = request.protocol + '://' + request.headers.host + request.originalUrl
  const documentFilePath = join(here, 'index.server.html')
  engine.render({ bootstrap, documentFilePath, url }).then((page) => response.send(page)).catch(next)
})
app.listen(process.env['PORT'])
`
    },
    source: {
      path: 'src/app.ts',
      text: (word) => `import { Component } from '@angular/core'
@Component({ selector: 'app-root', template: '<h1>${word}</h1>' })
export class App {}
`
    },
    isHeavy: true
  },
  {
    name: 'flask',
    type: 'PYTHON',
    isHeavy: true,
    found: 'Python with requirements.txt, starts Flask with gunicorn',
    files: { 'requirements.txt': 'flask\n' },
    source: {
      path: 'app.py',
      text: listen(`from flask import Flask\napp = Flask(__name__)\n\n@app.route('/')\ndef page():\n    return 'WORD'`)
    }
  },
  {
    name: 'fastapi',
    type: 'PYTHON',
    isHeavy: true,
    found: 'Python without dependencies, starts FastAPI with uvicorn',
    // Debian's FastAPI requires an older Starlette than Debian has.
    files: {},
    source: {
      path: 'main.py',
      text: listen(`from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/')\ndef page():\n    return 'WORD'`)
    }
  },
  {
    name: 'django',
    type: 'PYTHON',
    isHeavy: true,
    found: 'Python with requirements.txt, python manage.py collectstatic --noinput, starts Django with gunicorn',
    files: {
      'requirements.txt': 'django\ngunicorn\n',
      'manage.py': `import os, sys
os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
`,
      'shop/__init__.py': '',
      'shop/settings.py': `from pathlib import Path
SECRET_KEY = 'only for a test'
ALLOWED_HOSTS = ['*']
ROOT_URLCONF = 'shop.urls'
INSTALLED_APPS = ['django.contrib.staticfiles']
STATIC_URL = '/static/'
STATIC_ROOT = Path(__file__).parent.parent / 'collected'
`,
      'shop/wsgi.py': `import os
os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
`
    },
    source: {
      path: 'shop/urls.py',
      text: listen(
        `from django.http import HttpResponse\nfrom django.urls import path\nurlpatterns = [path('', lambda request: HttpResponse('WORD'))]`
      )
    }
  }
]

const server = `require('node:http').createServer((request, response) => answer().then((text) => response.end(text), (error) => response.end(String(error)))).listen(process.env.PORT)\n`

/** Native modules; most prebuilt binaries are on GitHub, so they are compiled. */
export const nativeProjects: readonly { name: string; files: Files; answers: string; isHeavy?: true }[] = [
  {
    name: 'sqlite3',
    isHeavy: true,
    answers: '42',
    files: {
      ...manifest({ sqlite3: '5.1.7' }, { start: 'node server.js' }),
      'server.js': `const { Database } = require('sqlite3')
const answer = () => new Promise((resolve, reject) => new Database(':memory:').get('select 6 * 7 as n', (error, row) => error ? reject(error) : resolve(String(row.n))))
${server}`
    }
  },
  {
    name: 'better-sqlite3',
    isHeavy: true,
    answers: '42',
    files: {
      ...manifest({ 'better-sqlite3': '11.7.0' }, { start: 'node server.js' }),
      'server.js': `const answer = async () => String(require('better-sqlite3')(':memory:').prepare('select 6 * 7 as n').get().n)\n${server}`
    }
  },
  {
    name: 'bcrypt',
    answers: 'true',
    files: {
      ...manifest({ bcrypt: '5.1.1' }, { start: 'node server.js' }),
      'server.js': `const bcrypt = require('bcrypt')\nconst answer = async () => String(await bcrypt.compare('a', await bcrypt.hash('a', 4)))\n${server}`
    }
  },
  {
    name: 'sharp',
    isHeavy: true,
    answers: '3x2',
    files: {
      ...manifest({ sharp: '0.33.5' }, { start: 'node server.js' }),
      'server.js': `const sharp = require('sharp')
const answer = async () => {
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: 'red' } }).resize(3).png().toBuffer()
  const { width, height } = await sharp(image).metadata()
  return width + 'x' + height
}
${server}`
    }
  }
]
