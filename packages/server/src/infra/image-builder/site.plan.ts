import {
  baseImage,
  panelDirectory,
  sourceDirectory,
  type BuildPlan,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import { renderCaddyfile } from './caddyfile.render.ts'
import { command, copy, dockerfile, env, expose, from, labels, run, user } from './dockerfile.render.ts'
import type { Framework } from './frameworks.ts'
import { BuildError } from './image-builder.ts'
import { nodeBuild, nodeManifests } from './node-install.ts'
import { buildTitle, type DetectedNode } from './node-project.ts'
import { ruleFiles } from './never-served.ts'
import { parseSiteRules, skippedRules } from './site-rules.ts'

export type Site = Pick<
  BuildPlan,
  'description' | 'detected' | 'notes' | 'files' | 'secrets' | 'dependencyFiles' | 'ignore' | 'bases' | 'compiles'
> & {
  isSinglePage: boolean
  /** Where `_redirects` and `_headers` are: the first directory that has one. Before a build, so not in its output. */
  rulesIn: readonly string[]
  lines: readonly string[]
  copy: string
}

const usualOutputs = ['dist', 'build', 'out', '_site', 'dist/*/browser', 'dist/*', '.output/public', 'docs/.vitepress/dist', 'docs/.vuepress/dist', 'public', 'site', 'www', '.'] // oxfmt-ignore

/** Directories to look for a built site in, the first with an index.html wins. */
export const siteOutputs = (
  { outputDirectory }: Pick<PlanInput, 'outputDirectory'>,
  framework: Framework | undefined
): string[] =>
  outputDirectory === undefined ? [...new Set([...(framework?.site ?? []), ...usualOutputs])] : [outputDirectory]

export function builtSite(input: PlanInput, node: DetectedNode, outputs: readonly string[], orElse = ''): Site {
  const { framework } = node
  if (framework?.refusal !== undefined) throw new BuildError({ code: framework.refusal })
  const enter = input.app === '' ? '' : `cd ${input.app} && `
  const build = nodeBuild(input, node, { mayPrune: false, isSite: true, isFrameworkUsed: true })
  return {
    description: [
      `a static site built by Node.js${build.manager ? ` with ${build.manager.title}` : ''}`,
      ...(framework ? [framework.name] : []),
      ...(build.build === undefined ? [] : [buildTitle(build.build)])
    ].join(', '),
    detected: {
      runtime: build.runtime,
      framework: framework?.name,
      packageManager: build.manager?.title,
      build: build.build,
      site: outputs
    },
    bases: [build.base, baseImage(input.images, 'static')],
    compiles: build.compiles,
    notes: build.notes,
    isSinglePage: true,
    rulesIn: sourceDirectories(input),
    lines: [...build.lines, run('/bin/sh', '-c', enter + takeOutput(outputs, orElse)), ''],
    files: build.files,
    secrets: build.secrets,
    copy: copy('/output/', '/srv/', 'build'),
    dependencyFiles: build.dependencyFiles,
    ignore: ['.git', '**/node_modules']
  }
}

/** Copied to the site by the usual generators. */
const sourceDirectories = ({ app, outputDirectory }: Pick<PlanInput, 'app' | 'outputDirectory'>): string[] =>
  [...(outputDirectory === undefined ? [] : [`${outputDirectory}/`]), 'public/', 'static/', ''].map(
    (directory) => `${app === '' ? '' : `${app}/`}${directory}`
  )

/** Of all directories that may count. */
const siteRuleFiles = (files: ReadonlySet<string>): string[] =>
  [...files].filter((path) => /(^|\/)_(redirects|headers)$/.test(path)).slice(0, 20)

export const readsOfSite: Planner['reads'] = (files, text, settings) => [
  ...nodeManifests(files, text, settings),
  ...siteRuleFiles(files)
]

function rulesOf({ text }: PlanInput, directories: readonly string[]) {
  const read = (name: string) => directories.map((directory) => text.get(`${directory}${name}`)).find(Boolean)
  return parseSiteRules({ redirects: read(ruleFiles.redirects), headers: read(ruleFiles.headers) })
}

export function sitePlan(input: PlanInput, port: number, { lines, isSinglePage, rulesIn, ...site }: Site): BuildPlan {
  const rules = rulesOf(input, rulesIn)
  return {
    description: site.description,
    detected: site.detected,
    bases: site.bases,
    compiles: site.compiles ?? false,
    notes: [...site.notes, ...skippedRules(rules)],
    dockerfile: `${panelDirectory}Dockerfile`,
    files: new Map([
      ...site.files,
      [`${panelDirectory}Caddyfile`, renderCaddyfile({ singlePage: isSinglePage, rules })],
      [
        `${panelDirectory}Dockerfile`,
        dockerfile(
          ...lines,
          from(input.images.static, 'server'),
          labels(input.sharedLabels),
          // The official image's caddy has a file capability; the kernel refuses to run it in a container without
          // capabilities.
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
    secrets: site.secrets,
    sourceDirectory,
    dependencyFiles: site.dependencyFiles,
    ignore: site.ignore,
    port,
    isLabelled: true,
    readOnlyRoot: true,
    filesAt: '/data'
  }
}

// The first directory with an index.html is the site. The candidates are trusted, so the shell may expand their
// wildcards.
const takeOutput = (candidates: readonly string[], orElse: string): string =>
  `for d in ${candidates.join(' ')}; do if [ -f "$d/index.html" ]; then echo "The site is in $d"; ` +
  'if [ "$d" = . ]; then rm -rf node_modules .git; fi; cp -RL "$d" /output && exit 0; exit 1; fi; done; ' +
  `echo "The build produced no index.html in any of: ${candidates.filter((name) => !name.includes('*')).join(', ')}" >&2; ` +
  `${orElse === '' ? '' : `echo '${orElse}' >&2; `}exit 1`
