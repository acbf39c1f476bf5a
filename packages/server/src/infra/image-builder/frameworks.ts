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

/** One way in which projects of a framework are built and run. */
export interface Framework {
  name: string
  known: Test
  /** Scripts of package.json that build, the best first. Default: "build". */
  buildScripts?: readonly string[]
  /** The same where only the site is wanted. */
  siteScripts?: readonly string[]
  /** Builds where no script does. */
  build?: string
  /** Variables of the build, below those of the project. */
  buildEnv?: Readonly<Record<string, string>>
  /** Scripts of package.json that start what was built, in place of "start". */
  startScripts?: RegExp
  /** A "start" script that leads to such a program is not used: it starts a development server, or not what the build has left. */
  notStart?: RegExp
  /** Variables of the running image, below those of the project: by them its servers listen for others too. */
  startEnv?: Readonly<Record<string, string>>
  /** What starts what the build leaves, where no script does. */
  server?: Server
  /** Where the build leaves a site, if it leaves one. */
  site?: readonly string[]
  /** A library of servers: what listens is a file of the project's own. */
  isLibrary?: true
  /** Why its build leaves nothing to start or to serve here, and what to do. */
  refusal?: FailureCode
  note?: DetectionNoteCode
}

interface Server {
  command: string
  /** What the build has to leave for it, as the shell's pattern. */
  file?: string
  /** Lays out what the build has left, whatever starts it. */
  prepare?: string
}

/**
 * How each framework is built and started where a project does not say so itself: the first row that knows the project. A row of a
 * special case stands before the general one, a framework before the tools that it is made of.
 */
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
    // The variable of the one platform for which it takes the adapter for Node.js.
    buildEnv: { GCP_BUILDPACKS: '1' },
    notStart: /^vite\b/,
    server: { command: 'node build', file: 'build/index.js' },
    note: 'ADAPTER_AUTO'
  },
  {
    name: 'SvelteKit (adapter of another platform)',
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
    name: 'React Router (without a server)',
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
    name: 'Remix (without a server)',
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
    notStart: /^next\b/,
    site: ['out']
  },
  {
    name: 'Next.js (standalone)',
    // In a workspace the folder has the package's path in it.
    known: all(on('next'), configured(configFiles.next, output('standalone')), not(isWorkspace)),
    build: 'next build',
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
    notStart: /^next dev\b/,
    server: { command: 'next start', file: '.next/BUILD_ID' },
    site: ['out']
  },
  {
    name: 'Angular (with a server)',
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
    // Its preview can be reached only where it is told so.
    notStart: /^vite( (dev|serve)\b| preview\b(?!.{0,200}--host)|$| --)/,
    site: ['dist']
  },
  { name: 'Express', known: on('express'), isLibrary: true },
  { name: 'Fastify', known: on('fastify'), isLibrary: true },
  { name: 'Koa', known: on('koa'), isLibrary: true },
  { name: 'hapi', known: on('@hapi/hapi'), isLibrary: true },
  { name: 'Hono', known: on('hono'), isLibrary: true }
]

/** The first row that knows the project. */
export const frameworkOf = (project: NodeProject): Framework | undefined =>
  nodeFrameworks.find(({ known }) => known(project))

/** Whether it depends on a library of servers, beside whatever builds its pages. */
export const hasServerLibrary = (project: NodeProject): boolean =>
  nodeFrameworks.some(({ isLibrary, known }) => isLibrary === true && known(project))

/** The classes whose objects are applications of Python, and what serves them. */
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
