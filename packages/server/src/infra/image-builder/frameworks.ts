import type { DetectionNoteCode } from '@panel/contract/detection-texts'
import type { FailureCode } from '@panel/contract/failure-texts'
import {
  all,
  anySvelteAdapter,
  builtBy,
  configFiles,
  configured,
  isWorkspace,
  type NodeProject,
  not,
  on,
  output,
  svelteAdapter,
  type Test,
  withoutServer
} from './framework-signs.ts'

export interface Framework {
  name: string
  known: Test
  buildScripts?: readonly string[]
  siteScripts?: readonly string[]
  build?: string
  buildEnv?: Readonly<Record<string, string>>
  /** Directory below the project's that makes the next build faster, and that the result does not need. */
  buildCache?: string
  startScripts?: RegExp
  /** Ignored "start" scripts: they run a development server or ignore the build output. */
  notStart?: RegExp
  /** Makes the framework's server listen on all interfaces. The project's variables take precedence. */
  startEnv?: Readonly<Record<string, string>>
  server?: Server
  site?: readonly string[]
  /** A server library: the project's own file listens. */
  isLibrary?: true
  refusal?: FailureCode
  note?: DetectionNoteCode
}

interface Server {
  command: string
  file?: string
  prepare?: string
}

const nextCache = '.next/cache'

// Build and start defaults per framework; the first matching row wins. Special cases come before general rows,
// frameworks before the tools they are built on.
const nodeFrameworks: readonly Framework[] = [
  {
    name: 'Nuxt (static)',
    known: all(on('nuxt'), builtBy(/\bgenerate\b/)),
    notStart: /^(nuxt|nuxi)\b/,
    site: ['.output/public', 'dist']
  },
  {
    name: 'Nuxt',
    known: on('nuxt'),
    siteScripts: ['generate'],
    build: 'nuxt build',
    notStart: /^(nuxt|nuxi)( (dev|preview|start)\b|$)/,
    server: { command: 'node .output/server/index.mjs', file: '.output/server/index.mjs' },
    site: ['.output/public']
  },
  {
    name: 'SvelteKit (adapter-node)',
    known: svelteAdapter('node'),
    build: 'vite build',
    notStart: /^vite\b/,
    server: { command: 'node build', file: 'build/index.js' }
  },
  {
    name: 'SvelteKit (adapter-static)',
    known: svelteAdapter('static'),
    build: 'vite build',
    notStart: /^vite\b/,
    site: ['build']
  },
  {
    name: 'SvelteKit (adapter-auto)',
    known: svelteAdapter('auto'),
    build: 'vite build',
    // adapter-auto picks adapter-node only for this platform's variable.
    buildEnv: { GCP_BUILDPACKS: '1' },
    notStart: /^vite\b/,
    server: { command: 'node build', file: 'build/index.js' },
    note: 'ADAPTER_AUTO'
  },
  {
    name: 'SvelteKit (other adapter)',
    known: anySvelteAdapter,
    build: 'vite build',
    notStart: /^vite\b/,
    refusal: 'OTHER_PLATFORM'
  },
  {
    name: 'Astro (node adapter)',
    known: on('@astrojs/node'),
    build: 'astro build',
    startEnv: { HOST: '0.0.0.0' },
    notStart: /^astro\b/,
    server: { command: 'node ./dist/server/entry.mjs', file: 'dist/server/entry.mjs' }
  },
  { name: 'Astro', known: on('astro'), build: 'astro build', notStart: /^astro\b/, site: ['dist'] },
  {
    name: 'React Router (SPA mode)',
    known: all(on('@react-router/dev'), configured(configFiles.router, withoutServer)),
    build: 'react-router build',
    notStart: /^react-router(-serve)?\b/,
    site: ['build/client']
  },
  {
    name: 'React Router',
    known: on('@react-router/dev'),
    build: 'react-router build',
    notStart: /^react-router dev\b/,
    server: { command: 'react-router-serve ./build/server/index.js', file: 'build/server/index.js' }
  },
  {
    name: 'Remix (SPA mode)',
    known: all(on('@remix-run/dev'), configured(configFiles.vite, withoutServer)),
    build: 'remix vite:build',
    notStart: /^(remix|remix-serve|vite)\b/,
    site: ['build/client']
  },
  {
    name: 'Remix',
    known: on('@remix-run/dev'),
    build: 'remix vite:build',
    notStart: /^remix (vite:)?dev\b/,
    server: { command: 'remix-serve ./build/server/index.js', file: 'build/server/index.js' }
  },
  {
    name: 'Next.js (static export)',
    known: all(on('next'), configured(configFiles.next, output('export'))),
    build: 'next build',
    buildCache: nextCache,
    notStart: /^next\b/,
    site: ['out']
  },
  {
    name: 'Next.js (standalone)',
    // In a workspace the standalone folder contains the package's path.
    known: all(on('next'), configured(configFiles.next, output('standalone')), not(isWorkspace)),
    build: 'next build',
    buildCache: nextCache,
    startEnv: { HOSTNAME: '0.0.0.0' },
    notStart: /^next\b/,
    server: {
      command: 'node .next/standalone/server.js',
      file: '.next/standalone/server.js',
      prepare:
        'if [ -f .next/standalone/server.js ]; then mkdir -p .next/standalone/.next && cp -R .next/static .next/standalone/.next/ && ' +
        'if [ -d public ]; then cp -R public .next/standalone/; fi; fi'
    }
  },
  {
    name: 'Next.js',
    known: on('next'),
    build: 'next build',
    buildCache: nextCache,
    notStart: /^next dev\b/,
    server: { command: 'next start', file: '.next/BUILD_ID' },
    site: ['out']
  },
  {
    name: 'Angular (SSR)',
    known: all(on('@angular/ssr'), not(configured(configFiles.angular, /"outputMode"[ \t]{0,20}:[ \t]{0,20}"static"/))),
    build: 'ng build',
    startScripts: /^serve:ssr/,
    notStart: /^ng (serve|s)\b/,
    server: { command: 'exec node dist/*/server/server.mjs', file: 'dist/*/server/server.mjs' },
    site: ['dist/*/browser']
  },
  {
    name: 'Angular',
    known: on('@angular/cli', '@angular/build', '@angular-devkit/build-angular'),
    build: 'ng build',
    notStart: /^ng (serve|s)\b/,
    site: ['dist/*/browser', 'dist/*']
  },
  {
    name: 'Gatsby',
    known: on('gatsby'),
    build: 'gatsby build',
    notStart: /^gatsby\b/,
    site: ['public']
  },
  {
    name: 'Docusaurus',
    known: on('@docusaurus/core'),
    build: 'docusaurus build',
    notStart: /^docusaurus\b/,
    site: ['build']
  },
  {
    name: 'VitePress',
    known: on('vitepress'),
    buildScripts: ['build', 'docs:build'],
    build: 'vitepress build',
    notStart: /^vitepress\b/,
    site: ['.vitepress/dist', '*/.vitepress/dist']
  },
  {
    name: 'VuePress',
    known: on('vuepress'),
    buildScripts: ['build', 'docs:build'],
    build: 'vuepress build',
    notStart: /^vuepress\b/,
    site: ['.vuepress/dist', '*/.vuepress/dist']
  },
  {
    name: 'Eleventy',
    known: on('@11ty/eleventy'),
    build: 'eleventy',
    notStart: /^(@11ty\/)?eleventy\b/,
    site: ['_site']
  },
  { name: 'Hexo', known: on('hexo'), build: 'hexo generate', notStart: /^hexo s(erver)?\b/, site: ['public'] },
  {
    name: 'NestJS',
    known: on('@nestjs/core'),
    build: 'nest build',
    startScripts: /^start:prod$/,
    notStart: /^nest start\b/,
    server: { command: 'node dist/main', file: 'dist/main.js' }
  },
  {
    name: 'Vue CLI',
    known: on('@vue/cli-service'),
    build: 'vue-cli-service build',
    notStart: /^vue-cli-service\b/,
    site: ['dist']
  },
  {
    name: 'Create React App',
    known: on('react-scripts'),
    build: 'react-scripts build',
    notStart: /^(react-scripts|react-app-rewired|craco) start\b/,
    site: ['build']
  },
  { name: 'Parcel', known: on('parcel'), notStart: /^parcel\b/, site: ['dist'] },
  {
    name: 'Vite',
    known: on('vite'),
    build: 'vite build',
    // `vite preview` listens on localhost unless --host is given.
    notStart: /^vite( (dev|serve)\b| preview\b(?!.{0,200}--host)|$| --)/,
    site: ['dist']
  },
  { name: 'Express', known: on('express'), isLibrary: true },
  { name: 'Fastify', known: on('fastify'), isLibrary: true },
  { name: 'Koa', known: on('koa'), isLibrary: true },
  { name: 'hapi', known: on('@hapi/hapi'), isLibrary: true },
  { name: 'Hono', known: on('hono'), isLibrary: true }
]

export const frameworkOf = (project: NodeProject): Framework | undefined =>
  nodeFrameworks.find(({ known }) => known(project))

/** Whether it depends on a server library, whatever builds its pages. */
export const hasServerLibrary = (project: NodeProject): boolean =>
  nodeFrameworks.some(({ isLibrary, known }) => isLibrary === true && known(project))

export const pythonFrameworks: Readonly<Record<string, 'gunicorn' | 'uvicorn'>> = {
  Flask: 'gunicorn',
  Bottle: 'gunicorn',
  Falcon: 'gunicorn',
  FastAPI: 'uvicorn',
  Starlette: 'uvicorn',
  Quart: 'uvicorn',
  Litestar: 'uvicorn',
  FastHTML: 'uvicorn'
}
