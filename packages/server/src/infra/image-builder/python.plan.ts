import type { DetectedCommand } from '@panel/contract/detection'
import {
  baseImage,
  dependenciesDirectory,
  homeDirectory,
  panelDirectory,
  sourceDirectory,
  type BuildPlan,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import { type BuildEnvironment, buildEnvironment } from './build-environment.ts'
import {
  command,
  copy,
  directoriesOf,
  dockerfile,
  env,
  expose,
  from,
  labels,
  type Mount,
  run,
  runWith,
  user,
  workdir,
  shellProgram
} from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { pythonVersion, pythonVersionFiles } from './language-version.ts'
import { pipMirror } from './mirrors.render.ts'
import { packageCache, runBuildScript, runInstallScript } from './node-install.ts'
import { pythonDependencies, pythonManifests, type PythonDependencies } from './python-requirements.ts'
import { pythonBuild, pythonStart, pythonStartFiles, type PythonStart } from './python-start.ts'

const defaultPort = 8000

export const pythonPlanner: Planner = {
  reads: (files) => [
    ...[...pythonManifests, ...pythonVersionFiles].filter((path) => files.has(path)),
    ...pythonStartFiles(files)
  ],
  plan
}

function plan(input: PlanInput): BuildPlan {
  if (input.startCmd === undefined && ![...input.files].some((path) => path.endsWith('.py'))) {
    throw new BuildError({ code: 'NO_PYTHON_FILE' })
  }
  const choice = pythonVersion(input, input.today)
  const base = baseImage(input.images, 'python', choice?.runtime.version)
  const start = pythonStart(input.files, input.text, input.startCmd)
  const dependencies = input.installCmd === undefined ? pythonDependencies(input.text) : undefined
  const environment = buildEnvironment(input, input.buildEnv)
  const cache = packageCache(input, { directory: '/root/.cache/pip', env: { PIP_CACHE_DIR: '/root/.cache/pip' } })
  const install = installSteps(input, { dependencies, start, environment, caches: cache.mounts })
  const { port = defaultPort, owner = 1000 } = input
  const mirror = pipMirror(input.mirrors)
  const files = new Map([...mirror.files, ...install.files])
  const build: string[] = []
  const found = buildCommandOf(input, start)
  const usesEnvironment = found !== undefined || input.installCmd !== undefined
  if (usesEnvironment) for (const [name, text] of environment.files) files.set(name, text)
  if (found !== undefined) {
    files.set(`${panelDirectory}build.sh`, `${found.command}${found.source === 'FRAMEWORK' ? orContinue : ''}\n`)
    build.push(
      environment.copy,
      copy(`${panelDirectory}build.sh`, '/run/panel/build.sh'),
      runBuildScript('/opt/venv/bin', environment)
    )
  }
  files.set(
    `${panelDirectory}Dockerfile`,
    dockerfile(
      from(base.reference, 'build'),
      labels(input.labels),
      workdir('/app'),
      env({
        ...(cache.mounts.length === 0 ? { PIP_NO_CACHE_DIR: '1' } : cache.env),
        PIP_DISABLE_PIP_VERSION_CHECK: '1',
        PIP_NO_INPUT: '1',
        PYTHONDONTWRITEBYTECODE: '1'
      }),
      // Packages of the base image count as installed and are not downloaded again.
      run('python3', '-m', 'venv', '--system-site-packages', '/opt/venv'),
      'ENV PATH=/opt/venv/bin:$PATH VIRTUAL_ENV=/opt/venv',
      ...mirror.lines,
      ...install.lines,
      ...build,
      '',
      from(base.reference),
      labels(input.labels),
      directoriesOf(owner, '/app', homeDirectory),
      workdir('/app'),
      'ENV PATH=/opt/venv/bin:$PATH VIRTUAL_ENV=/opt/venv',
      env({ PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', HOME: homeDirectory, PORT: String(port) }),
      expose(port),
      user(`${owner}:${owner}`),
      command(shellProgram(start.command)),
      copy('/opt/venv/', '/opt/venv/', 'build', owner),
      copy('/app/', '/app/', 'build', owner)
    )
  )
  return {
    description: [
      `Python${dependencies ? ` with ${dependencies.title}` : input.installCmd === undefined ? ' without dependencies' : ' with the install command'}`,
      ...(found === undefined ? [] : [found.source === 'SETTING' ? 'build command' : found.command]),
      `starts ${start.title}`
    ].join(', '),
    detected: {
      runtime: choice?.runtime,
      framework: start.framework,
      packageManager: dependencies === undefined ? undefined : `pip with ${dependencies.title}`,
      build: found,
      start: { command: start.command, source: start.source }
    },
    bases: [base],
    notes: choice?.notes ?? [],
    dockerfile: `${panelDirectory}Dockerfile`,
    files,
    references: [],
    secrets: usesEnvironment ? environment.secrets : {},
    sourceDirectory,
    dependencyFiles: install.dependencyFiles,
    ignore: ['.git', '**/__pycache__'],
    port,
    isLabelled: true,
    readOnlyRoot: false,
    home: homeDirectory,
    filesAt: '/data'
  }
}

function buildCommandOf(input: PlanInput, { framework }: PythonStart): DetectedCommand | undefined {
  if (input.buildCmd !== undefined) return { command: input.buildCmd, source: 'SETTING' }
  const command = pythonBuild(framework, input.text)
  return command === undefined ? undefined : { command, source: 'FRAMEWORK' }
}

// The settings may need what only the running site has, such as its database.
const orContinue = ` || echo 'collectstatic failed; continuing. Set a build command to make it fail the build or to skip it.'`

interface InstallSteps {
  lines: readonly string[]
  files: ReadonlyMap<string, string>
  dependencyFiles: ReadonlySet<string>
}

interface InstallUse {
  dependencies: PythonDependencies | undefined
  start: PythonStart
  environment: BuildEnvironment
  caches: readonly Mount[]
}

/** Dependencies get their own layer before the source, unless a requirement is a path in the source. */
function installSteps(input: PlanInput, use: InstallUse): InstallSteps {
  const { dependencies, start, caches } = use
  if (input.installCmd !== undefined) return customInstall(input.installCmd, use)
  const own = dependencies?.requirements === undefined ? input.text.get('requirements.txt') : undefined
  const refersToSource =
    linesOf(own ?? '').some((line) => /^(-e\b|--editable\b|\.|file:)/.test(line)) ||
    dependencies?.requirements?.some((line) => /@ ?(file:|\.)/.test(line))
  const copySource = copy(sourceDirectory, '/app/')
  const files = new Map<string, string>()
  const lines: string[] = []
  const argv = ['pip', 'install']
  if (dependencies && dependencies.constraints.length > 0) {
    files.set(`${panelDirectory}constraints.txt`, `${dependencies.constraints.join('\n')}\n`)
    lines.push(copy(`${panelDirectory}constraints.txt`, '/run/panel/constraints.txt'))
    argv.push('--constraint', '/run/panel/constraints.txt')
  }
  if (refersToSource) lines.push(copySource)
  if (own !== undefined) {
    if (!refersToSource) lines.push(copy(dependenciesDirectory, '/app/'))
    lines.push(runWith(caches, ...argv, '--requirement', 'requirements.txt'))
  } else if (dependencies?.requirements && dependencies.requirements.length > 0) {
    files.set(`${panelDirectory}requirements.txt`, `${dependencies.requirements.join('\n')}\n`)
    lines.push(copy(`${panelDirectory}requirements.txt`, '/run/panel/requirements.txt'))
    lines.push(runWith(caches, ...argv, '--requirement', '/run/panel/requirements.txt'))
  }
  // A separate step: in hash-checking mode pip rejects requirements without hashes.
  if (start.server !== undefined && !mentions(own ?? dependencies?.requirements?.join('\n') ?? '', start.server)) {
    lines.push(runWith(caches, ...argv, start.server))
  }
  if (!refersToSource) lines.push(copySource)
  if (dependencies?.installsProject) lines.push(runWith(caches, ...argv, '.'))
  const dependencyFiles = own === undefined || refersToSource ? [] : [...input.files].filter(isRequirementsFile)
  return { lines, files, dependencyFiles: new Set(dependencyFiles) }
}

function customInstall(command: string, { start: { server }, environment, caches }: InstallUse): InstallSteps {
  return {
    lines: [
      environment.copy,
      copy(sourceDirectory, '/app/'),
      ...runInstallScript(environment, caches),
      ...(server === undefined ? [] : [runWith(caches, 'pip', 'install', server)])
    ],
    files: new Map([[`${panelDirectory}install.sh`, `${command}\n`]]),
    dependencyFiles: new Set()
  }
}

const mentions = (requirements: string, name: string): boolean =>
  linesOf(requirements).some((line) => line.toLowerCase().startsWith(name) && !/\w/.test(line.charAt(name.length)))

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trimStart().slice(0, 100))

function isRequirementsFile(path: string): boolean {
  const directories = path.split('/')
  const name = directories.pop()!
  const isText = name.length < 256 && /\.(txt|in)$/.test(name)
  const isNamed = /requirements|constraints/.test(name) && /^[\w.-]+$/.test(name)
  return isText && (isNamed || (path.startsWith('requirements/') && directories.length === 1 && name.endsWith('.txt')))
}
