import { panelDirectory, sourceDirectory, type BuildPlan, type PlanInput, type Planner } from './build-plan.ts'
import { renderCaddyfile } from './caddyfile.render.ts'
import { command, copy, dockerfile, env, expose, from, labels, run, user } from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { nodeBuild, nodeManifests } from './node-install.ts'
import { parsePackageJson, scriptOf, type PackageJson } from './package-json.ts'

const defaultPort = 8080

/** Where a site that needs no build may lie. */
const siteDirectories = ['', 'public/', 'dist/', 'build/', '_site/']

/** Where each framework leaves the site, by the package that gives it away. */
const outputOfFramework: readonly (readonly [string, string])[] = [
  ['vitepress', '.vitepress/dist'],
  ['vuepress', '.vuepress/dist'],
  ['@docusaurus/core', 'build'],
  ['@11ty/eleventy', '_site'],
  ['astro', 'dist'],
  ['gatsby', 'public'],
  ['next', 'out'],
  ['nuxt', '.output/public'],
  ['@sveltejs/kit', 'build'],
  ['react-scripts', 'build'],
  ['@angular/cli', 'dist/*/browser'],
  ['vite', 'dist'],
  ['@vue/cli-service', 'dist'],
  ['parcel', 'dist'],
  ['hexo', 'public']
]

/** Tried in this order after the framework's own. */
const usualOutputs = ['dist', 'build', 'out', '_site', 'dist/*/browser', 'dist/*', '.output/public', 'docs/.vitepress/dist', 'docs/.vuepress/dist', 'public', 'site', 'www', '.'] // prettier-ignore

export const staticPlanner: Planner = { reads: nodeManifests, plan }

function plan(input: PlanInput): BuildPlan {
  const text = input.text.get('package.json')
  const manifest = text === undefined ? undefined : parsePackageJson(text)
  const isBuilt = (input.buildCmd ?? scriptOf(manifest, 'build')) !== undefined
  const port = input.port ?? defaultPort
  const site = isBuilt ? built(input, manifest) : plain(input)
  return {
    description: site.description,
    notes: [
      ...site.notes,
      ...(input.startCmd === undefined ? [] : ['The start command is not used: static sites are served by Caddy.'])
    ],
    dockerfile: `${panelDirectory}Dockerfile`,
    files: new Map([
      ...site.files,
      [`${panelDirectory}Caddyfile`, renderCaddyfile({ singlePage: isBuilt })],
      [
        `${panelDirectory}Dockerfile`,
        dockerfile(
          ...site.lines,
          from(input.images.static, 'server'),
          labels(input.sharedLabels),
          // The official image's caddy carries a file capability, with which the kernel refuses it to a container without any.
          run('cp', '/usr/bin/caddy', '/usr/local/bin/caddy-without-capabilities'),
          '',
          from('server'),
          labels(input.labels),
          copy(`${panelDirectory}Caddyfile`, '/etc/caddy/Caddyfile'),
          env({ HOME: '/tmp', XDG_CONFIG_HOME: '/tmp', XDG_DATA_HOME: '/tmp', PORT: String(port) }),
          expose(port),
          user('1000:1000'),
          command([
            '/usr/local/bin/caddy-without-capabilities',
            'run',
            '--config',
            '/etc/caddy/Caddyfile',
            '--adapter',
            'caddyfile'
          ]),
          site.copy
        )
      ]
    ]),
    references: [],
    sourceDirectory,
    dependencyFiles: site.dependencyFiles,
    ignore: site.ignore,
    port,
    isLabelled: true,
    readOnlyRoot: true,
    filesAt: '/data'
  }
}

type Site = Pick<BuildPlan, 'description' | 'notes' | 'files' | 'dependencyFiles' | 'ignore'> & {
  /** Stages before the server's. */
  lines: readonly string[]
  copy: string
}

function plain(input: PlanInput): Site {
  const directory = siteDirectories.find((candidate) => input.files.has(`${candidate}index.html`))
  if (directory === undefined) {
    throw new BuildError(
      'No index.html was found in the root, public/, dist/, build/ or _site/ of the repository, and there is nothing to build: ' +
        'add one, or a "build" script in package.json, or set a build command.'
    )
  }
  return {
    description: `a static site${directory === '' ? '' : ` in ${directory}`}`,
    notes: [],
    lines: [],
    files: new Map(),
    copy: copy(`${sourceDirectory}${directory}`, '/srv/'),
    dependencyFiles: new Set(),
    ignore: ['**/.*', '!.well-known', `!${directory}.well-known`]
  }
}

function built(input: PlanInput, manifest: PackageJson | undefined): Site {
  const build = nodeBuild(input, false)
  const framework = outputOfFramework.find(
    ([name]) => manifest?.dependencies.has(name) || manifest?.devDependencies.has(name)
  )
  const candidates = [...new Set([...(framework ? [framework[1]] : []), ...usualOutputs])]
  return {
    description: [
      `a static site built by Node.js${build.manager ? ` with ${build.manager.title}` : ''}`,
      ...(framework ? [framework[0]] : []),
      input.buildCmd === undefined ? 'build script' : 'build command'
    ].join(', '),
    notes: build.notes,
    lines: [...build.lines, run('/bin/sh', '-c', takeOutput(candidates)), ''],
    files: build.files,
    copy: copy('/output/', '/srv/', 'build'),
    dependencyFiles: build.dependencyFiles,
    ignore: ['.git', '**/node_modules']
  }
}

/** The first directory with an index.html is the site. The candidates are ours, so their wildcards are for the shell. */
const takeOutput = (candidates: readonly string[]): string =>
  `for d in ${candidates.join(' ')}; do if [ -f "$d/index.html" ]; then echo "The site is in $d"; ` +
  'if [ "$d" = . ]; then rm -rf node_modules .git; fi; cp -RL "$d" /output && exit 0; exit 1; fi; done; ' +
  `echo "The build left no index.html in any of: ${usualOutputs.filter((name) => !name.includes('*')).join(', ')}" >&2; exit 1`
