import { describe, expect, test } from 'vitest'
import type { BuildSource } from './image-builder.ts'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { planBuild } from './detect.ts'
import { detectionLines } from './detection.render.ts'

const images = { node: 'node:24', python: 'python:3.11', static: 'caddy:2', php: 'php:8.4-fpm' }
type Files = Record<string, string>
type Type = BuildSource['type']

const planOf = (files: Files, type: Type = 'NODEJS', settings: Partial<BuildSource> = {}) =>
  planBuild(
    createMemoryTree(files),
    { type, buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings },
    images,
    {}
  )

const project = (dependencies: string, scripts: Record<string, string> = {}, more: Files = {}): Files => ({
  'package.json': JSON.stringify({
    scripts,
    dependencies: Object.fromEntries(dependencies.split(' ').map((name) => [name, '1']))
  }),
  'package-lock.json': '{}',
  ...more
})

// Format: "framework | build | start" or "framework | build | site: first folder".
async function decided(files: Files, type?: Type, settings?: Partial<BuildSource>): Promise<string> {
  const { detected } = await planOf(files, type, settings)
  const { build, start, site } = detected
  const last = start ? `${start.command} (${start.source})` : `site: ${site?.slice(0, 1).join('')}`
  return [detected.framework, build ? `${build.command} (${build.source})` : undefined, last].join(' | ')
}

const js = (text: string) => `export default {\n  ${text}\n}\n`
const kit = '@sveltejs/kit vite'

describe('framework presets', () => {
  test.each<[string, Files, string]>([
    ['NestJS', project('@nestjs/core', { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' }), 'NestJS | npm run build (PACKAGE_JSON) | node dist/main (PACKAGE_JSON)'],
    ['NestJS without start:prod', project('@nestjs/core', { build: 'nest build', start: 'nest start' }), 'NestJS | npm run build (PACKAGE_JSON) | node dist/main (FRAMEWORK)'],
    ['Nuxt', project('nuxt', { build: 'nuxt build', dev: 'nuxt dev', generate: 'nuxt generate', preview: 'nuxt preview' }), 'Nuxt | npm run build (PACKAGE_JSON) | node .output/server/index.mjs (FRAMEWORK)'],
    ['Nuxt that is generated', project('nuxt', { build: 'nuxt generate' }), 'Nuxt (static) | npm run build (PACKAGE_JSON) | site: .output/public'],
    ['SvelteKit with adapter-node', project(`${kit} @sveltejs/adapter-node`, { build: 'vite build' }), 'SvelteKit (adapter-node) | npm run build (PACKAGE_JSON) | node build (FRAMEWORK)'],
    ['SvelteKit with adapter-static', project(`${kit} @sveltejs/adapter-static`, { build: 'vite build' }), 'SvelteKit (adapter-static) | npm run build (PACKAGE_JSON) | site: build'],
    ['SvelteKit with adapter-auto', project(`${kit} @sveltejs/adapter-auto`, { build: 'vite build' }), 'SvelteKit (adapter-auto) | npm run build (PACKAGE_JSON) | node build (FRAMEWORK)'],
    ['SvelteKit whose settings choose among adapters', project(`${kit} @sveltejs/adapter-auto @sveltejs/adapter-static`, { build: 'vite build' }, { 'svelte.config.js': `// import adapter from '@sveltejs/adapter-auto'\nimport adapter from '@sveltejs/adapter-static'` }), 'SvelteKit (adapter-static) | npm run build (PACKAGE_JSON) | site: build'],
    ['Astro', project('astro', { build: 'astro build', start: 'astro dev' }), 'Astro | npm run build (PACKAGE_JSON) | site: dist'],
    ['Astro with its server', project('astro @astrojs/node', { build: 'astro build', start: 'astro dev' }), 'Astro (node adapter) | npm run build (PACKAGE_JSON) | node ./dist/server/entry.mjs (FRAMEWORK)'],
    ['React Router', project('@react-router/dev @react-router/serve', { build: 'react-router build', start: 'react-router-serve ./build/server/index.js' }, { 'react-router.config.ts': js('ssr: true') }), 'React Router | npm run build (PACKAGE_JSON) | react-router-serve ./build/server/index.js (PACKAGE_JSON)'],
    ['React Router without a server', project('@react-router/dev @react-router/serve', { build: 'react-router build', start: 'react-router-serve ./build/server/index.js' }, { 'react-router.config.ts': js('ssr: false') }), 'React Router (SPA mode) | npm run build (PACKAGE_JSON) | site: build/client'],
    ['Remix', project('@remix-run/dev @remix-run/serve', { build: 'remix vite:build', start: 'remix-serve ./build/server/index.js' }), 'Remix | npm run build (PACKAGE_JSON) | remix-serve ./build/server/index.js (PACKAGE_JSON)'],
    ['Next.js', project('next', { build: 'next build', start: 'next start' }), 'Next.js | npm run build (PACKAGE_JSON) | next start (PACKAGE_JSON)'],
    ['Next.js without scripts', project('next'), 'Next.js | next build (FRAMEWORK) | next start (FRAMEWORK)'],
    ['Next.js with no script but the start', project('next', { start: 'next start -p $PORT' }), 'Next.js | next build (FRAMEWORK) | next start -p $PORT (PACKAGE_JSON)'],
    ['Next.js, standalone', project('next', { build: 'next build', start: 'next start' }, { 'next.config.mjs': js(`output: 'standalone'`) }), 'Next.js (standalone) | npm run build (PACKAGE_JSON) | node .next/standalone/server.js (FRAMEWORK)'],
    ['Next.js, exported', project('next', { build: 'next build', start: 'next start' }, { 'next.config.ts': js('output: "export"') }), 'Next.js (static export) | npm run build (PACKAGE_JSON) | site: out'],
    ['Next.js, whose export is a comment', project('next', { build: 'next build', start: 'next start' }, { 'next.config.js': js(`// output: 'export'`) }), 'Next.js | npm run build (PACKAGE_JSON) | next start (PACKAGE_JSON)'],
    ['Angular', project('@angular/cli', { build: 'ng build', start: 'ng serve' }), 'Angular | npm run build (PACKAGE_JSON) | site: dist/*/browser'],
    ['Angular with its server', project('@angular/cli @angular/ssr', { build: 'ng build', start: 'ng serve', 'serve:ssr:shop': 'node dist/shop/server/server.mjs' }), 'Angular (SSR) | npm run build (PACKAGE_JSON) | node dist/shop/server/server.mjs (PACKAGE_JSON)'],
    ['Angular, rendered in the build', project('@angular/cli @angular/ssr', { build: 'ng build', start: 'ng serve' }, { 'angular.json': '{\n "outputMode": "static"\n}' }), 'Angular | npm run build (PACKAGE_JSON) | site: dist/*/browser'],
    ['Gatsby', project('gatsby', { build: 'gatsby build', start: 'npm run develop', develop: 'gatsby develop' }), 'Gatsby | npm run build (PACKAGE_JSON) | site: public'],
    ['Docusaurus', project('@docusaurus/core', { build: 'docusaurus build', start: 'docusaurus start' }), 'Docusaurus | npm run build (PACKAGE_JSON) | site: build'],
    ['VitePress', project('vitepress', { 'docs:build': 'vitepress build docs' }), 'VitePress | npm run docs:build (PACKAGE_JSON) | site: .vitepress/dist'],
    ['VuePress', project('vuepress', { 'docs:build': 'vuepress build docs' }), 'VuePress | npm run docs:build (PACKAGE_JSON) | site: .vuepress/dist'],
    ['Eleventy', project('@11ty/eleventy', { build: 'npx @11ty/eleventy', start: 'npx @11ty/eleventy --serve' }), 'Eleventy | npm run build (PACKAGE_JSON) | site: _site'],
    ['Eleventy without scripts', project('@11ty/eleventy'), 'Eleventy | eleventy (FRAMEWORK) | site: _site'],
    ['Hexo', project('hexo', { build: 'hexo generate', server: 'hexo server' }), 'Hexo | npm run build (PACKAGE_JSON) | site: public'],
    ['Vue CLI', project('@vue/cli-service', { build: 'vue-cli-service build', serve: 'vue-cli-service serve' }), 'Vue CLI | npm run build (PACKAGE_JSON) | site: dist'],
    ['Create React App', project('react-scripts', { build: 'react-scripts build', start: 'react-scripts start' }, { 'src/index.js': '' }), 'Create React App | npm run build (PACKAGE_JSON) | site: build'],
    ['Parcel', project('parcel', { build: 'parcel build', start: 'parcel' }), 'Parcel | npm run build (PACKAGE_JSON) | site: dist'],
    ['Vite', project('vite', { build: 'vite build', dev: 'vite', preview: 'vite preview' }), 'Vite | npm run build (PACKAGE_JSON) | site: dist'],
    ['Express', project('express', { start: 'node server.js' }), 'Express |  | node server.js (PACKAGE_JSON)'],
    ['Fastify', project('fastify', {}, { 'server.js': '' }), 'Fastify |  | node ./server.js (FILE)'],
    ['Koa', project('koa', {}, { 'index.js': '' }), 'Koa |  | node ./index.js (FILE)'],
    ['nothing known', project('left-pad', { build: 'make', start: 'node a.js' }), ' | npm run build (PACKAGE_JSON) | node a.js (PACKAGE_JSON)']
  ])('%s', async (_, files, decision) => {
    expect(await decided(files)).toBe(decision)
  }) // oxfmt-ignore
})

describe('a "start" script that runs a development server is ignored', () => {
  const built = (dependency: string, start: string, more: Record<string, string> = {}) =>
    project(dependency, { build: 'make', start, ...more })
  test.each<[string, Files, string]>([
    ['behind a variable', built('react-scripts', 'PORT=3006 react-scripts start'), 'site: build'],
    ['behind cross-env', built('react-scripts', 'cross-env PORT=3006 BROWSER=none react-scripts start'), 'site: build'],
    ['in place of react-scripts', built('react-scripts', 'react-app-rewired start'), 'site: build'],
    ['behind npx', built('@angular/cli', 'npx ng serve --open'), 'site: dist/*/browser'],
    ['by its file', built('@angular/cli', 'node --max_old_space_size=4096 node_modules/@angular/cli/bin/ng serve'), 'site: dist/*/browser'],
    ['behind npm run', built('next', 'npm run dev', { dev: 'next dev' }), 'next start (FRAMEWORK)'],
    ['behind yarn', built('next', 'yarn dev --turbo', { dev: 'cross-env A=b next dev' }), 'next start (FRAMEWORK)'],
    ['after other commands', built('vite', 'rimraf dist && vite'), 'site: dist'],
    ['by its other name', built('nuxt', 'nuxt start'), 'node .output/server/index.mjs (FRAMEWORK)'],
    ['but one that starts what was built is not', built('next', 'npm run serve', { serve: 'NODE_ENV=production next start' }), 'npm run serve (PACKAGE_JSON)']
  ])('%s', async (_, files, last) => {
    expect((await decided(files)).split(' | ').at(-1)).toBe(last)
  }) // oxfmt-ignore
})

describe('SvelteKit with an adapter of another platform', () => {
  const vercel = project(`${kit} @sveltejs/adapter-vercel`, { build: 'vite build', dev: 'vite dev' })
  test('is rejected before the build, with advice', async () => {
    const text =
      /builds for another platform.*@sveltejs\/adapter-node for a server or @sveltejs\/adapter-static for a site/
    await expect(planOf(vercel)).rejects.toThrow(text)
    await expect(planOf(vercel, 'STATIC')).rejects.toThrow(text)
    const inVite = { 'vite.config.ts': `import adapter from '@sveltejs/adapter-cloudflare'` }
    await expect(planOf(project(kit, { build: 'vite build' }, inVite))).rejects.toThrow(text)
  })

  test('is accepted when the config names a third-party adapter', async () => {
    const config = { 'svelte.config.js': `import adapter from 'svelte-adapter-of-mine'` }
    const own = project(`${kit} @sveltejs/adapter-vercel`, { build: 'vite build' }, config)
    expect(await decided(own)).toBe('Vite | npm run build (PACKAGE_JSON) | site: dist')
  })

  test('is accepted when the project sets a start command', async () => {
    expect(await decided(vercel, 'NODEJS', { startCmd: 'node server.js' })).toMatch(/node server.js \(SETTING\)$/)
  })
})

describe('precedence over framework presets', () => {
  const next = project('next', { build: 'next build', start: 'next start' })
  test.each<[string, Files, Partial<BuildSource>, string]>([
    ['the settings of the project', { ...next, Procfile: 'web: b' }, { startCmd: 'a', buildCmd: 'c' }, 'Next.js | c (SETTING) | a (SETTING)'],
    ['the Procfile', { ...next, Procfile: '# x\nworker: a\nweb:  node b.js \n' }, {}, 'Next.js | npm run build (PACKAGE_JSON) | node b.js (PROCFILE)'],
    ['a Procfile without web', { ...next, Procfile: 'worker: a\nweb:\n' }, {}, 'Next.js | npm run build (PACKAGE_JSON) | next start (PACKAGE_JSON)'],
    ['a server beside what Vite builds', project('vite express', { build: 'vite build', start: 'node server.js' }), {}, 'Vite | npm run build (PACKAGE_JSON) | node server.js (PACKAGE_JSON)'],
    ['the same without a start script', project('vite express', { build: 'vite build' }, { 'server.js': '' }), {}, 'Vite | npm run build (PACKAGE_JSON) | node ./server.js (FILE)'],
    ['a preview that can be reached', project('vite', { build: 'vite build', start: 'vite preview --host --port $PORT' }), {}, 'Vite | npm run build (PACKAGE_JSON) | vite preview --host --port $PORT (PACKAGE_JSON)'],
    ['no build of a framework whose tools serve another end', project('vite', { start: 'node a.js' }), {}, 'Vite |  | node a.js (PACKAGE_JSON)']
  ])('%s', async (_, files, settings, decision) => {
    expect(await decided(files, 'NODEJS', settings)).toBe(decision)
  }) // oxfmt-ignore
})

describe('a NODEJS project without a start command', () => {
  test('is served as a static site, and the log notes it', async () => {
    const plan = await planOf(project('webpack', { build: 'webpack' }))
    expect(plan.detected.site).toContain('dist')
    expect(plan.detected.site).not.toContain('.')
    expect(plan.files.get('panel/Dockerfile')).toContain('FROM caddy:2 AS server')
    expect(plan.port).toBe(3000)
    expect(detectionLines(plan, []).join('')).toBe(
      'Found a static site built by Node.js with npm, build script.\n' +
        '  Version: Node.js 24 (default)\n' +
        '  Build: npm run build (from package.json)\n' +
        `  Site: the first of ${plan.detected.site!.join(', ')} with an index.html\n` +
        '  Port: 3000\n' +
        `  Not right? Set the project's build command, start command or port, or add a Procfile with a "web:" line.\n` +
        'Note: No way to start a server was found, so the build output is served as a static site. If it is a server, set a start command or add a "start" script.\n'
    )
  })

  test('without a site, the error names both problems', async () => {
    const plan = await planOf(project('webpack', { build: 'webpack' }))
    expect(plan.files.get('panel/Dockerfile')).toMatch(/The build produced no index.html in any of: dist, build.*has no \\"start\\" script/)
  }) // oxfmt-ignore

  test('without a build, it is rejected', async () => {
    await expect(planOf(project('left-pad'))).rejects.toThrow(/"start" script and no start command.*Procfile.*generates a static site/)
  }) // oxfmt-ignore
})

describe('the build of a preset', () => {
  test('arranges the standalone server of Next.js', async () => {
    const files = project('next', { build: 'next build' }, { 'next.config.js': js('output: "standalone"') })
    const script = (await planOf(files)).files.get('panel/build.sh')!
    expect(script).toMatch(/^npm run build\nif \[ -f .next\/standalone\/server.js \]; then .*cp -R .next\/static /)
    expect(script).toContain(`ls -d .next/standalone/server.js >/dev/null`)
  })

  test.each<[string, Record<string, string>, Partial<BuildSource>, Files]>([
    ['a start script', { start: 'node .next/standalone/server.js' }, {}, {}],
    ['a start script with variables', { start: 'PORT=$PORT node ./.next/standalone/server.js' }, {}, {}],
    ['a script of another name', { start: 'npm run serve', serve: 'node .next/standalone/server.js' }, {}, {}],
    ['the Procfile', {}, {}, { Procfile: 'web: node .next/standalone/server.js' }],
    ['the start command', {}, { startCmd: 'node .next/standalone/server.js' }, {}]
  ])('that %s starts', async (_, scripts, settings, more) => {
    const config = { 'next.config.js': js('output: "standalone"'), ...more }
    const plan = await planOf(project('next', { build: 'next build', ...scripts }, config), 'NODEJS', settings)
    const script = plan.files.get('panel/build.sh')!
    expect(script).toContain('cp -R .next/static ')
    expect(script).toContain('cp -R public ')
    expect(script).toContain('ls -d .next/standalone/server.js >/dev/null')
    expect(plan.files.get('panel/Dockerfile')).toMatch(/^ENV .*"HOSTNAME"="0.0.0.0"/m)
  }) // oxfmt-ignore

  test('arranges it when a project command runs from the standalone folder', async () => {
    const files = project('next', { build: 'next build' }, { 'next.config.js': js('output: "standalone"') })
    const plan = await planOf(files, 'NODEJS', { startCmd: 'cd .next/standalone && node server.js' })
    expect(plan.files.get('panel/build.sh')).toContain('cp -R .next/static ')
    expect(plan.files.get('panel/build.sh')).not.toContain('ls -d')
  })

  test('makes the server listen on all interfaces', async () => {
    const start = 'node ./dist/server/entry.mjs'
    const plan = await planOf(project('astro @astrojs/node', { build: 'astro build', start }))
    expect(plan.detected.start).toEqual({ command: start, source: 'PACKAGE_JSON' })
    expect(plan.files.get('panel/Dockerfile')).toMatch(/^ENV .*"HOST"="0.0.0.0"/m)
    expect(plan.files.get('panel/build.sh')).toContain('ls -d dist/server/entry.mjs')
    expect((await planOf(project('express', { start: 'node a.js' }))).files.get('panel/Dockerfile')).not.toContain('"HOST"')
  }) // oxfmt-ignore

  test('checks for the output that it starts, but not for that of a project script', async () => {
    const scripts = { build: 'nest build', start: 'nest start' }
    expect((await planOf(project('@nestjs/core', scripts))).files.get('panel/build.sh')).toMatch(/The build produced no dist\/main.js/) // oxfmt-ignore
    const own = project('@nestjs/core', { ...scripts, 'start:prod': 'node build/main' })
    expect((await planOf(own)).files.get('panel/build.sh')).toBe('npm run build\n')
  })

  test('merges preset variables, the project’s win', async () => {
    const files = project(`${kit} @sveltejs/adapter-auto`, { build: 'vite build' })
    expect((await planOf(files)).files.get('panel/build-env')).toBe("export GCP_BUILDPACKS='1'\n")
    const own = { buildEnv: { GCP_BUILDPACKS: '', A: 'b' } }
    expect((await planOf(files, 'NODEJS', own)).files.get('panel/build-env')).toBe("export GCP_BUILDPACKS=''\nexport A='b'\n") // oxfmt-ignore
  })
})

describe('a STATIC project', () => {
  test.each<[string, Files, string]>([
    ['is looked for where its framework leaves it', project('astro', { build: 'astro build' }), 'Astro | npm run build (PACKAGE_JSON) | site: dist'],
    ['is generated where a framework can do both', project('nuxt', { build: 'nuxt build', generate: 'nuxt generate' }), 'Nuxt | npm run generate (PACKAGE_JSON) | site: .output/public'],
    ['is built by its framework where it has no script', project('hexo'), 'Hexo | hexo generate (FRAMEWORK) | site: public'],
    ['is taken as it is where nothing builds it', { 'docs.md': '', 'public/index.html': '' }, ' |  | site: public/']
  ])('%s', async (_, files, decision) => {
    expect(await decided(files, 'STATIC')).toBe(decision)
  }) // oxfmt-ignore
})

describe('Python', () => {
  const gunicorn = (target: string) => `exec python -m gunicorn --bind "0.0.0.0:$PORT" --threads 4 --worker-tmp-dir /tmp --access-logfile - ${target} (FRAMEWORK)` // oxfmt-ignore
  const django = { 'manage.py': `'DJANGO_SETTINGS_MODULE', 'shop.settings'`, 'shop/wsgi.py': '' }
  test.each<[string, Files, Partial<BuildSource>, string]>([
    ['Flask', { 'app.py': 'app = Flask(__name__)' }, {}, `Flask |  | ${gunicorn('app:app')}`],
    ['FastAPI', { 'main.py': 'app = FastAPI()' }, {}, 'FastAPI |  | exec python -m uvicorn --host 0.0.0.0 --port "$PORT" main:app (FRAMEWORK)'],
    ['Django', django, {}, `Django |  | ${gunicorn('shop.wsgi')}`],
    ['Django with files to collect', { ...django, 'shop/settings.py': `STATIC_ROOT = 'x'` }, {}, `Django | python manage.py collectstatic --noinput (FRAMEWORK) | ${gunicorn('shop.wsgi')}`],
    ['Django with settings for each place', { ...django, 'shop/settings/base.py': `STATIC_ROOT = 'x'` }, { buildCmd: 'make' }, `Django | make (SETTING) | ${gunicorn('shop.wsgi')}`],
    ['a Procfile', { 'app.py': 'app = Flask(__name__)', Procfile: 'web: gunicorn app:app' }, {}, 'Flask |  | gunicorn app:app (PROCFILE)'],
    ['a server of its own', { 'main.py': 'server.serve_forever()' }, {}, ' |  | exec python main.py (FILE)']
  ])('%s', async (_, files, settings, decision) => {
    expect(await decided(files, 'PYTHON', settings)).toBe(decision)
  }) // oxfmt-ignore
})
