import type { DetectedCommand, RuntimeVersion } from '@panel/contract/detection'
import { cacheId } from '../container-engine/buildkit-mounts.ts'
import { label } from '../container-engine/labels.ts'
import {
  baseImage,
  dependenciesDirectory,
  panelDirectory,
  sourceDirectory,
  type BaseImage,
  type DetectionNote,
  type PlanInput
} from './build-plan.ts'
import { type BuildEnvironment, buildEnvironment } from './build-environment.ts'
import { frameworkFiles } from './framework-signs.ts'
import type { Framework } from './frameworks.ts'
import { buildCommandOf, type DetectedNode } from './node-project.ts'
import { copy, env, from, labels, type Mount, run, runShell, runWith, shellWith, workdir } from './dockerfile.render.ts'
import { nodeVersion, nodeVersionFiles } from './language-version.ts'
import { npmMirror } from './mirrors.render.ts'
import { choosePackageManager, type PackageCache, type PackageManager } from './node-package-manager.ts'
import { ownView, pathIn } from './project-root.ts'
import { parsePackageJson, scriptOf, type PackageJson } from './package-json.ts'

export interface NodeBuild {
  base: BaseImage
  runtime: RuntimeVersion | undefined
  manager: PackageManager | undefined
  compiles: boolean
  toolLines: readonly string[]
  build: DetectedCommand | undefined
  lines: readonly string[]
  files: ReadonlyMap<string, string>
  secrets: Readonly<Record<string, string>>
  dependencyFiles: ReadonlySet<string>
  notes: readonly DetectionNote[]
}

const rootManifests = [
  'package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs',
  'yarn.lock', 'bun.lock', 'bun.lockb', 'bunfig.toml', '.npmrc', '.yarnrc', '.yarnrc.yml', 'schema.prisma', 'prisma/schema.prisma'
] // oxfmt-ignore

const readManifests = ['pnpm-lock.yaml', 'yarn.lock', '.npmrc', '.yarnrc.yml', ...nodeVersionFiles, 'Procfile', ...frameworkFiles] // oxfmt-ignore

export function nodeManifests(
  files: ReadonlySet<string>,
  text: ReadonlyMap<string, string>,
  { app }: Pick<PlanInput, 'app'>
): string[] {
  const root = text.get('package.json')
  const hasWorkspaces = root !== undefined && isWorkspace(files, parsePackageJson(root))
  const ofApp = app === '' ? [] : ['turbo.json', ...readManifests.map((path) => pathIn(app, path))]
  return [...readManifests, ...ofApp, ...(hasWorkspaces ? workspaceManifests(files) : [])].filter((path) =>
    files.has(path)
  )
}

const isWorkspace = (files: ReadonlySet<string>, root: PackageJson | undefined): boolean =>
  root?.workspaces !== undefined || files.has('pnpm-workspace.yaml')

export const toolsDirectory = '/opt/tools'

const installScripts = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish', 'preprepare', 'postprepare']

interface NodeBuildUse {
  /** Whether development dependencies may be removed after the build; depends on the start command. */
  mayPrune: boolean
  isSite: boolean
  /** Whether the framework's build output is what is started or served. */
  isFrameworkUsed: boolean
}

/** The dependency layer contains only manifests, so that source changes do not trigger a reinstall. */
export function nodeBuild(input: PlanInput, node: DetectedNode, use: NodeBuildUse): NodeBuild {
  const { framework } = node
  const { mayPrune } = use
  const rootText = input.text.get('package.json')
  const manifest = input.app === '' || rootText === undefined ? node.manifest : parsePackageJson(rootText)
  const own = nodeVersion(ownView(input), input.today)
  const choice = own?.runtime.source === 'DEFAULT' ? nodeVersion(input, input.today) : own
  const base = baseImage(input.images, 'node', choice?.runtime.version)
  const manager = manifest && choosePackageManager(manifest, input.files, input.text)
  const build = buildCommandOf(input, node, manager, use)
  const manifests = manifestsOf(input, manifest)
  const hasWorkspaces = isWorkspace(input.files, manifest)
  const { installCmd } = input
  const needsSource = installCmd !== undefined || manifests.some((one) => runsInstallScripts(one) || refersToFiles(one))
  // Registry tokens are project variables: npm and yarn expand `${NAME}` in their config from the environment.
  const needsEnvironment =
    installCmd !== undefined || ['.npmrc', '.yarnrc.yml'].some((path) => input.text.get(path)?.includes('${'))
  const installAll = build !== undefined || needsSource || !mayPrune || !manager?.installProduction
  // Pruning installs again, by the rules of the detected command.
  const prune = installAll && mayPrune && !hasWorkspaces && installCmd === undefined ? manager?.prune : undefined

  const mirror = npmMirror(input.mirrors)
  const lines: string[] = []
  if (manager?.install !== undefined) {
    lines.push(from(base.reference, 'tools'), labels(input.sharedLabels), ...mirror.lines)
    lines.push(
      runShell(
        `npm install --global --prefix ${toolsDirectory} --no-audit --no-fund ${manager.install} && rm -rf /root/.npm`
      ),
      ''
    )
  }
  const toolLines = manager?.install === undefined ? [] : [copy(`${toolsDirectory}/`, `${toolsDirectory}/`, 'tools')]
  const compilers = manifests.some(hasDependencies) ? input.images.compilers?.(base) : undefined
  lines.push(
    from(compilers ?? base.reference, 'build'),
    labels(input.labels),
    workdir('/app'),
    ...toolLines,
    ...mirror.lines
  )
  if (toolLines.length > 0) lines.push(`ENV PATH=${toolsDirectory}/bin:$PATH`)
  const cache = packageCache(input, manager?.cache)
  const managerEnv = { ...manager?.env, ...cache.env }
  if (Object.keys(managerEnv).length > 0) lines.push(env(managerEnv))
  const copySource = copy(sourceDirectory, '/app/')
  const environment = buildEnvironment(input, { ...framework?.buildEnv, ...input.buildEnv })
  const files = new Map<string, string>(mirror.files)
  if (needsEnvironment) lines.push(environment.copy)
  if (installCmd !== undefined) {
    files.set(`${panelDirectory}install.sh`, `${enterApp(input)}${installCmd}\n`)
    lines.push(copySource, ...runInstallScript(environment, cache.mounts))
  } else if (manager) {
    lines.push(needsSource ? copySource : copy(dependenciesDirectory, '/app/'))
    const install = (installAll ? manager.installAll : manager.installProduction) ?? manager.installAll
    lines.push(
      needsEnvironment
        ? runWith(
            [...environment.mounts, ...cache.mounts],
            ...['/bin/sh', '-c', '. /run/panel/build-env && exec "$@"', 'install', ...install]
          )
        : runWith(cache.mounts, ...install)
    )
  }
  if (installCmd === undefined && (!manager || !needsSource)) lines.push(copySource)
  const usesEnvironment = build !== undefined || needsEnvironment
  if (usesEnvironment) for (const [name, text] of environment.files) files.set(name, text)
  if (build !== undefined) {
    if (!needsEnvironment) lines.push(environment.copy)
    lines.push(copy(`${panelDirectory}build.sh`, '/run/panel/build.sh'))
    const mounts = [...environment.mounts, ...frameworkCache(input, framework)]
    lines.push(runBuildScript(programPath(input), { mounts }))
    const after = use.isSite ? '' : afterBuild(framework, use.isFrameworkUsed)
    const enter = build.source === 'TURBOREPO' ? '' : enterApp(input)
    const enterAfter = build.source === 'TURBOREPO' && after !== '' ? enterApp(input) : ''
    files.set(`${panelDirectory}build.sh`, `${enter}${build.command}\n${enterAfter}${after}`)
  }
  if (prune) lines.push(run(...prune))
  return {
    base,
    runtime: choice?.runtime,
    manager,
    compiles: compilers !== undefined,
    toolLines,
    build,
    lines,
    files,
    secrets: usesEnvironment ? environment.secrets : {},
    dependencyFiles: manager && !needsSource ? dependencyFilesOf(input.files, hasWorkspaces) : new Set(),
    notes: [...(manager?.notes ?? []), ...(choice?.notes ?? [])]
  }
}

/** Fails the build if the file that the framework starts is missing, instead of a container that does not start. */
function afterBuild(framework: Framework | undefined, isFrameworkUsed: boolean): string {
  const { file, prepare } = framework?.server ?? {}
  const problem =
    `The build produced no ${file}, which starts ${framework?.name} projects: ` +
    'add a "start" script, a Procfile with a "web:" line, or set the start command.'
  return [
    ...(prepare === undefined ? [] : [prepare]),
    ...(file === undefined || !isFrameworkUsed
      ? []
      : [`ls -d ${file} >/dev/null 2>&1 || { echo '${problem}' >&2; exit 1; }`])
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Programs of the project's packages, before those of the workspace. */
export const programPath = ({ app }: Pick<PlanInput, 'app'>): string =>
  [...(app === '' ? [] : [`/app/${app}/node_modules/.bin`]), '/app/node_modules/.bin'].join(':')

const enterApp = ({ app }: Pick<PlanInput, 'app'>): string => (app === '' ? '' : `cd ${app}\n`)

/** Runs `panel/install.sh` with the project's variables. */
export const runInstallScript = (
  { mounts }: Pick<BuildEnvironment, 'mounts'>,
  caches: readonly Mount[]
): readonly string[] => [
  copy(`${panelDirectory}install.sh`, '/run/panel/install.sh'),
  shellWith([...mounts, ...caches], '. /run/panel/build-env && exec /bin/sh -e /run/panel/install.sh')
]

/** A cache of the account, so that packages are not downloaded again. */
export const packageCache = (
  { hasBuildKit, owner }: Pick<PlanInput, 'hasBuildKit' | 'owner'>,
  cache: PackageCache | undefined
): { mounts: readonly Mount[]; env: Readonly<Record<string, string>> } => {
  if (!hasBuildKit || cache === undefined) return { mounts: [], env: {} }
  const { directory: target, env = {}, sharing } = cache
  const id = cacheId(owner, target)
  return { mounts: [{ type: 'cache', id, target, ...(sharing === undefined ? {} : { sharing }) }], env }
}

/** What a framework keeps between builds of the same project. The image gets none of it. */
function frameworkCache(input: PlanInput, framework: Framework | undefined): Mount[] {
  if (!input.hasBuildKit || framework?.buildCache === undefined) return []
  const target = pathIn('/app', input.app, framework.buildCache)
  return [{ type: 'cache', id: cacheId(input.owner, `${input.labels[label.project] ?? ''}:${target}`), target }]
}

/** Makes the output world-readable, because containers run as another user. */
export const runBuildScript = (binDirectory: string, { mounts }: Pick<BuildEnvironment, 'mounts'>): string =>
  shellWith(
    mounts,
    `. /run/panel/build-env && export PATH="${binDirectory}:$PATH" && /bin/sh -e /run/panel/build.sh && ` +
      'find . ! -type l \\( ! -perm -004 -o -type d ! -perm -005 \\) -exec chmod a+rX {} +'
  )

const workspaceManifests = (files: ReadonlySet<string>): string[] =>
  [...files].filter((path) => /(^|\/)package\.json$/.test(path) && !/(^|\/)node_modules\//.test(path)).slice(0, 500)

function manifestsOf(input: PlanInput, root: PackageJson | undefined): PackageJson[] {
  if (!root) return []
  if (!isWorkspace(input.files, root)) return [root]
  const paths = workspaceManifests(input.files).filter((path) => path !== 'package.json' && input.text.has(path))
  return [root, ...paths.map((path) => parsePackageJson(input.text.get(path)!, path))]
}

const runsInstallScripts = (manifest: PackageJson): boolean =>
  installScripts.some((name) => scriptOf(manifest, name) !== undefined)

const hasDependencies = ({ dependencies, devDependencies, optionalDependencies }: PackageJson): boolean =>
  dependencies.size + devDependencies.size + optionalDependencies.size > 0

const refersToFiles = (manifest: PackageJson): boolean =>
  manifest.pnpm?.patchedDependencies !== undefined ||
  [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].some((dependencies) =>
    [...dependencies.values()].some((spec) => /^(file|link|portal|patch|exec):|^[.~]?\//.test(spec))
  )

const dependencyFilesOf = (files: ReadonlySet<string>, hasWorkspaces: boolean): Set<string> =>
  new Set(
    [
      ...rootManifests,
      ...[...files].filter((path) => /^\.yarn\/(releases|plugins|patches)\//.test(path)),
      ...(hasWorkspaces ? workspaceManifests(files) : [])
    ].filter((path) => files.has(path))
  )
