import { buildEnvironment } from './build-environment.ts'
import { panelDirectory, sourceDirectory, type PlanInput } from './build-plan.ts'
import { copy, env, from, labels, runShell, workdir } from './dockerfile.render.ts'
import { packageCache, runBuildScript, runInstallScript } from './node-install.ts'
import { installComposer } from './php-modules.ts'
import { type PhpProject, topmost } from './php-project.ts'

/** Where the application is, and the files of its project. */
export const phpPaths = { app: '/app', data: '/data', skeleton: '/usr/local/share/panel-kept' }

/** Stages that install packages and run the build command; none without either. */
export function buildStage(input: PlanInput, { composer, framework }: PhpProject) {
  const { installCmd, buildCmd } = input
  const keeps = framework?.keeps ?? []
  const files = new Map<string, string>()
  const build = buildCmd === undefined ? undefined : { command: buildCmd, source: 'SETTING' as const }
  const nothing = { lines: [] as string[], files, secrets: {}, build }
  const needsEnvironment = composer !== undefined || installCmd !== undefined || buildCmd !== undefined
  if (!needsEnvironment) return nothing
  const environment = buildEnvironment(input, { ...framework?.env, ...input.buildEnv })
  for (const [name, text] of environment.files) files.set(name, text)
  const cache = packageCache(input, { directory: '/root/.cache/composer' })
  const install = installCmd ?? composerInstall
  files.set(`${panelDirectory}install.sh`, `${install}\n`)
  const installs = composer !== undefined || installCmd !== undefined
  if (build !== undefined) files.set(`${panelDirectory}build.sh`, `${build.command}\n`)
  const lines = [
    from('server', 'composer'),
    labels(input.sharedLabels),
    runShell(installComposer),
    '',
    from('composer', 'build'),
    labels(input.labels),
    workdir(phpPaths.app),
    env({
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_NO_INTERACTION: '1',
      COMPOSER_CACHE_DIR: '/root/.cache/composer',
      COMPOSER_PROCESS_TIMEOUT: '0'
    }),
    copy(sourceDirectory, '/app/'),
    environment.copy,
    ...(installs ? runInstallScript(environment, cache.mounts) : []),
    ...(build === undefined
      ? []
      : [copy(`${panelDirectory}build.sh`, '/run/panel/build.sh'), runBuildScript('/app/vendor/bin', environment)]),
    ...(keeps.length > 0 ? [runShell(moveKept(keeps))] : []),
    ''
  ]
  return { lines, files, secrets: environment.secrets, build }
}

const composerInstall = 'composer install --no-dev --prefer-dist --optimize-autoloader --no-progress'

/** Puts links to the files of the project in place of the kept folders; what these had is copied there at the start. */
const moveKept = (keeps: readonly string[]): string =>
  topmost(keeps)
    .map((folder) => {
      const above = folder.split('/').slice(0, -1).join('/')
      return (
        `mkdir -p ${phpPaths.skeleton}/${above} ./${above} && ` +
        `if [ -d ${folder} ] && [ ! -L ${folder} ]; then mv ${folder} ${phpPaths.skeleton}/${folder}; else rm -rf ${folder}; fi && ` +
        `ln -s ${phpPaths.data}/${folder} ${folder}`
      )
    })
    .join(' && ')
