import {
  homeDirectory,
  panelDirectory,
  sourceDirectory,
  type BuildPlan,
  type DetectionNote,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import {
  command,
  copy,
  directoriesOf,
  dockerfile,
  env,
  expose,
  from,
  labels,
  run,
  runShell,
  shellProgram,
  user,
  workdir
} from './dockerfile.render.ts'
import { ensureApache } from './apache-site.render.ts'
import { buildStage, phpPaths } from './php-build.ts'
import { installModules } from './php-modules.ts'
import { phpManifests } from './image-builder.ts'
import { findSite, type PhpProject, requireSite, topmost } from './php-project.ts'
import { apacheEnvironment, inContext, phpDefaults, phpServerFiles, serve } from './php-server.render.ts'
import { apachePhpSite, guardedPool, guardFile, guardScript, phpSiteSettings } from './php-site.render.ts'
import { pathIn } from './project-root.ts'

const defaultPort = 8080

export const phpPlanner: Planner = { reads: (files) => phpManifests.filter((path) => files.has(path)), plan }

/** The same from the files of the project, which the image does not contain. */
export const phpFilesPlanner = (texts: Readonly<Record<string, string>>): Planner => ({
  reads: () => [],
  plan: (input) => planFiles({ ...input, files: new Set(Object.keys(texts)), text: new Map(Object.entries(texts)) })
})

function plan(input: PlanInput): BuildPlan {
  requireSite(input)
  const found = findSite(input)
  const { framework, composer, root, served } = found
  const { port = defaultPort, owner = 1000 } = input
  const keeps = framework?.keeps ?? []
  const built = buildStage(input, found)
  const start = input.startCmd === undefined ? undefined : { command: input.startCmd, source: 'SETTING' as const }
  const config = configFiles({
    root: pathIn(phpPaths.app.slice(1), root),
    served: servedIn(phpPaths.data, served),
    hasFrontController: framework !== undefined || (composer !== undefined && root !== ''),
    data: phpPaths.data,
    isLive: false
  })
  const files = new Map([...config, modulesFile(found), ...built.files])
  files.set(
    `${panelDirectory}Dockerfile`,
    dockerfile(
      ...serverStage(input, found),
      ...built.lines,
      from('server'),
      labels(input.labels),
      directoriesOf(owner, phpPaths.app, homeDirectory),
      workdir(phpPaths.app),
      ...copyConfig,
      env({ ...environmentOf(port, homeDirectory), ...framework?.env }),
      expose(port),
      user(`${owner}:${owner}`),
      command(start ? shellProgram(start.command) : startServer(phpPaths.data, keeps.length > 0)),
      ...(built.lines.length > 0
        ? [
            ...(keeps.length > 0 ? [copy(`${phpPaths.skeleton}/`, `${phpPaths.skeleton}/`, 'build', owner)] : []),
            copy('/app/', '/app/', 'build', owner)
          ]
        : [copy(sourceDirectory, '/app/', undefined, owner)])
    )
  )
  return {
    ...shared(found),
    description: descriptionOf(input, found),
    notes: notesOf(found, input.files),
    detected: { ...detectedOf(found), build: built.build, start },
    files,
    secrets: built.secrets,
    port,
    readOnlyRoot: false,
    home: homeDirectory,
    filesAt: phpPaths.data,
    ...(keeps.length > 0 && { keeps })
  }
}

function planFiles(input: PlanInput): BuildPlan {
  const found = findSite(input)
  const { framework, composer, root, served } = found
  const port = input.port ?? defaultPort
  const site = '/srv'
  const files = new Map(
    configFiles({
      root: pathIn(site.slice(1), root),
      served: servedIn(site, served),
      hasFrontController: framework !== undefined || (composer !== undefined && root !== ''),
      data: site,
      isLive: true
    })
  ).set(...modulesFile(found))
  files.set(
    `${panelDirectory}Dockerfile`,
    dockerfile(
      ...serverStage(input, found),
      from('server'),
      labels(input.labels),
      workdir(site),
      ...copyConfig,
      env(environmentOf(port, '/tmp')),
      expose(port),
      user('33:33'),
      command(startServer(site, false))
    )
  )
  return {
    ...shared(found),
    sourceDirectory: '',
    ignore: [],
    description: `a site in PHP${framework ? `, ${framework.name}` : ''}, the files of the project`,
    notes: [...rootNote(root), ...(found.choice?.notes ?? [])],
    detected: detectedOf(found),
    files,
    port,
    readOnlyRoot: true,
    filesAt: site,
    servesFiles: true,
    writesFiles: true
  }
}

const servedIn = (data: string, served: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(served).map(([url, path]) => [url, `${data}/${path}`]))

const modulesFile = ({ modules }: PhpProject): [string, string] => [
  `${panelDirectory}modules.sh`,
  installModules(modules)
]

/** Of every project with the same modules, so that it is built once. */
const serverStage = (input: PlanInput, { base }: PhpProject): string[] => [
  from(base.reference, 'server'),
  labels(input.sharedLabels),
  runShell(ensureApache),
  copy(`${panelDirectory}modules.sh`, '/run/panel/modules.sh'),
  run('/bin/sh', '/run/panel/modules.sh'),
  ''
]

/** Nothing that is there is overwritten. */
const startServer = (data: string, hasSkeleton: boolean): string[] => [
  '/bin/sh',
  '-c',
  `${hasSkeleton ? `cp -Rn ${phpPaths.skeleton}/. ${data}/ 2>/dev/null; ` : ''}mkdir -p -m 700 ${data}/.panel-tmp && ` +
    serve
]

interface Site {
  /** Without the first slash. */
  root: string
  served: Readonly<Record<string, string>>
  hasFrontController: boolean
  data: string
  isLive: boolean
}

const configFiles = ({ root, data, isLive, ...site }: Site): [string, string][] => {
  const temporary = `${data}/.panel-tmp`
  const apache = apachePhpSite({ ...site, root: `/${root}` })
  const php = phpSiteSettings({ temporary, sessions: isLive ? '/tmp' : temporary, isLive })
  return serverFiles(apache, php).map(([path, text]) => [inContext(path), text])
}

const serverFiles = (apache: string, php: string) =>
  [...phpServerFiles(apache, php, guardedPool), [guardFile, guardScript]] as const

const copyConfig = serverFiles('', '').map(([path]) => copy(inContext(path), path))

const environmentOf = (port: number, home: string) => ({
  PORT: String(port),
  HOME: home,
  PHP_INI_SCAN_DIR: ':/etc/panel-php',
  ...phpDefaults,
  ...apacheEnvironment
})

const shared = ({ base }: PhpProject) => ({
  bases: [base],
  dockerfile: `${panelDirectory}Dockerfile`,
  references: [],
  sourceDirectory,
  dependencyFiles: new Set<string>(),
  ignore: ['.git'],
  isLabelled: true
})

const detectedOf = ({ choice, framework, composer }: PhpProject) => ({
  runtime: choice?.runtime,
  framework: framework?.name,
  packageManager: composer === undefined ? undefined : 'Composer'
})

const descriptionOf = ({ installCmd, startCmd, buildCmd }: PlanInput, { composer, framework }: PhpProject): string =>
  [
    `PHP${installCmd !== undefined ? ' with the install command' : composer ? ' with Composer' : ''}`,
    ...(framework ? [framework.name] : []),
    ...(buildCmd === undefined ? [] : ['build command']),
    startCmd === undefined ? 'served by Apache' : 'starts the start command'
  ].join(', ')

const rootNote = (root: string): DetectionNote[] => [
  root === '' ? { code: 'DOCUMENT_ROOT_IS_PROJECT' } : { code: 'DOCUMENT_ROOT', values: { path: root } }
]

function notesOf({ root, framework, composer, choice }: PhpProject, files: ReadonlySet<string>): DetectionNote[] {
  const { keeps = [], commands = [], name = '' } = framework ?? {}
  return [
    ...rootNote(root),
    ...(composer !== undefined && !files.has('composer.lock') ? [{ code: 'NO_LOCK_FILE' } as const] : []),
    ...(keeps.length > 0 ? [{ code: 'KEPT_FOLDERS', values: { folders: topmost(keeps).join(', ') } } as const] : []),
    ...(commands.length > 0
      ? [{ code: 'COMMANDS_OF_FRAMEWORK', values: { framework: name, commands: commands.join('; ') } } as const]
      : []),
    ...(choice?.notes ?? [])
  ]
}
