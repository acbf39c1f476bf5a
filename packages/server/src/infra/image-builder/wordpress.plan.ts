import { ensureApache } from './apache-site.render.ts'
import {
  panelDirectory,
  sourceDirectory,
  usualPhp,
  type BuildPlan,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import { type BuildEnvironment, buildEnvironment } from './build-environment.ts'
import { command, copy, dockerfile, env, expose, from, labels, runShell, user, workdir } from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { runBuildScript } from './node-install.ts'
import { apacheEnvironment, inContext, phpDefaults, phpServerFiles, serve } from './php-server.render.ts'
import { apacheConfiguration, phpConfiguration } from './wordpress-files.render.ts'
import { layOutScript } from './wordpress-lay-out.render.ts'
import { pageCacheScript } from './wordpress-page-cache.render.ts'
import { careFile, prependFile } from './wordpress-prepend.render.ts'

const defaultPort = 8080

/** Where the project's files are mounted, and where the image keeps the sources to copy. */
const paths = { root: '/var/www/html', core: '/usr/src/wordpress', site: '/usr/src/site' }

/** By their paths in the image. */
const panelFiles: readonly (readonly [string, string])[] = [
  ...phpServerFiles(apacheConfiguration, phpConfiguration),
  ['/usr/local/lib/panel/lay-out.php', layOutScript(paths)],
  ['/usr/local/lib/panel/page-cache.php', pageCacheScript(paths.root)],
  ['/usr/local/lib/panel/care.php', careFile(paths.root)],
  ['/usr/local/lib/panel/prepend.php', prependFile(paths.root)]
]

interface Layout {
  title: string
  needsCore: boolean
  directory: string
  target: string
  theme: string | undefined
}

export const wordpressPlanner: Planner = { reads: (files) => ['style.css'].filter((path) => files.has(path)), plan }

function plan(input: PlanInput): BuildPlan {
  const layout = findLayout(input)
  const port = input.port ?? defaultPort
  const base = usualPhp(input.images)
  const files = new Map(panelFiles.map(([target, text]) => [inContext(target), text]))
  const environment = buildEnvironment(input, input.buildEnv)
  const build = layout && input.buildCmd !== undefined ? buildStage(input, input.buildCmd, environment, files) : []
  files.set(
    `${panelDirectory}Dockerfile`,
    dockerfile(
      from(base.reference, 'server'),
      labels(input.sharedLabels),
      runShell(prepareServer),
      '',
      ...(layout?.needsCore === false ? [] : [from('server', 'core'), runShell(fetchCore), '']),
      ...build,
      from(layout?.needsCore === false ? 'server' : 'core'),
      labels(input.labels),
      workdir(paths.root),
      ...panelFiles.map(([target]) => copy(inContext(target), target)),
      env({
        PORT: String(port),
        HOME: '/tmp',
        PHP_INI_SCAN_DIR: ':/etc/panel-php',
        ...phpDefaults,
        ...(layout?.theme === undefined ? {} : { WORDPRESS_DEFAULT_THEME: layout.theme }),
        ...apacheEnvironment
      }),
      expose(port),
      command(['/bin/sh', '-c', `php /usr/local/lib/panel/lay-out.php && ${serve}`]),
      ...(layout === undefined
        ? []
        : build.length > 0
          ? [copy(`/app/${layout.directory}`, `${paths.site}/${layout.target}`, 'build')]
          : [copy(`${sourceDirectory}${layout.directory}`, `${paths.site}/${layout.target}`)]),
      user('33:33')
    )
  )
  return {
    description: `WordPress: ${layout?.title ?? 'core only'}`,
    detected: {
      framework: 'WordPress',
      build: input.buildCmd === undefined ? undefined : { command: input.buildCmd, source: 'SETTING' }
    },
    bases: [base],
    notes: input.startCmd === undefined ? [] : [{ code: 'START_NOT_OF_WORDPRESS' }],
    dockerfile: `${panelDirectory}Dockerfile`,
    files,
    references: [],
    secrets: build.length > 0 ? environment.secrets : {},
    sourceDirectory,
    dependencyFiles: new Set(),
    ignore: ['.git'],
    port,
    isLabelled: true,
    readOnlyRoot: true,
    filesAt: paths.root
  }
}

/**
 * Adds Apache to the official php image and compiles modules; skips what an image has. WordPress works without those of
 * the second step.
 */
const prepareServer =
  `${ensureApache} && ` +
  'a2enmod proxy_fcgi rewrite headers expires setenvif >/dev/null && { php -r "exit(extension_loaded(\'mysqli\') ? 0 : 1);" || ' +
  "docker-php-ext-install mysqli; } && { php -r \"exit(extension_loaded('intl') && extension_loaded('imagick') ? 0 : 1);\" || " +
  '{ apt-get update -qq && apt-get install -y -qq --no-install-recommends libicu-dev libzip-dev libfreetype-dev libjpeg62-turbo-dev ' +
  'libpng-dev libwebp-dev libavif-dev libxml2-dev libmagickwand-dev $PHPIZE_DEPS >/dev/null && ' +
  'docker-php-ext-configure gd --with-freetype --with-jpeg --with-webp --with-avif >/dev/null && ' +
  'docker-php-ext-install -j2 bcmath exif gd intl soap zip >/dev/null && pecl install imagick apcu redis >/dev/null && ' +
  'docker-php-ext-enable imagick apcu redis; } || echo "Some PHP modules could not be installed." >&2; }'

const fetchCore =
  'if [ ! -f /usr/src/wordpress/wp-load.php ]; then echo "The base image has no WordPress; downloading it." && ' +
  "mkdir -p /usr/src/wordpress && php -r \"copy('https://wordpress.org/latest.tar.gz', '/tmp/wordpress.tar.gz') || exit(1);\" && " +
  'tar -xzf /tmp/wordpress.tar.gz -C /usr/src && rm /tmp/wordpress.tar.gz; fi && ' +
  'find /usr/src/wordpress ! -type l \\( ! -perm -004 -o -type d ! -perm -005 \\) -exec chmod a+rX {} +'

function buildStage(
  input: PlanInput,
  buildCmd: string,
  environment: BuildEnvironment,
  files: Map<string, string>
): string[] {
  for (const [name, text] of environment.files) files.set(name, text)
  files.set(`${panelDirectory}build.sh`, `${buildCmd}\n`)
  return [
    from('server', 'build'),
    labels(input.labels),
    workdir('/app'),
    copy(sourceDirectory, '/app/'),
    environment.copy,
    copy(`${panelDirectory}build.sh`, '/run/panel/build.sh'),
    runBuildScript('/app/vendor/bin', environment),
    ''
  ]
}

function findLayout(input: PlanInput): Layout | undefined {
  if (input.files.size === 0) return undefined
  const core = ['', 'wordpress/', 'public/', 'public_html/', 'htdocs/', 'web/', 'www/'].find((directory) =>
    input.files.has(`${directory}wp-includes/version.php`)
  )
  if (core !== undefined)
    return {
      title: 'core from the repository',
      needsCore: false,
      directory: core,
      target: '',
      theme: undefined
    }
  const has = (prefix: string) => [...input.files].some((path) => path.startsWith(prefix))
  if (has('wp-content/')) {
    return {
      title: 'wp-content from the repository',
      needsCore: true,
      directory: 'wp-content/',
      target: 'wp-content/',
      theme: undefined
    }
  }
  const themeName = /^[ \t/*#@]*Theme Name:(.*)$/im.exec(input.text.get('style.css')?.slice(0, 8192) ?? '')?.[1]
  if (themeName !== undefined) {
    const theme = themeName.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 50) || 'theme' // oxfmt-ignore
    return {
      title: `the theme ${theme}`,
      needsCore: true,
      directory: '',
      target: `wp-content/themes/${theme}/`,
      theme
    }
  }
  if (has('themes/') || has('plugins/')) {
    return {
      title: 'themes and plugins from the repository',
      needsCore: true,
      directory: '',
      target: 'wp-content/',
      theme: undefined
    }
  }
  throw new BuildError({ code: 'NO_WORDPRESS' })
}
