import { ensureApache } from './apache-site.render.ts'
import {
  baseImage,
  panelDirectory,
  sourceDirectory,
  type BuildPlan,
  type PlanInput,
  type Planner
} from './build-plan.ts'
import { type BuildEnvironment, buildEnvironment } from './build-environment.ts'
import { command, copy, dockerfile, env, expose, from, labels, runShell, user, workdir } from './dockerfile.render.ts'
import { BuildError } from './image-builder.ts'
import { runBuildScript } from './node-install.ts'
import {
  apacheConfiguration,
  fpmConfiguration,
  phpConfiguration,
  phpDefaults,
  serveScript
} from './wordpress-files.render.ts'
import { layOutScript } from './wordpress-lay-out.render.ts'

const defaultPort = 8080

/** Where the project's files are mounted, and where the image keeps the sources to copy. */
const paths = { root: '/var/www/html', core: '/usr/src/wordpress', site: '/usr/src/site' }

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
  const files = new Map([
    [`${panelDirectory}apache.conf`, apacheConfiguration],
    [`${panelDirectory}php.ini`, phpConfiguration],
    [`${panelDirectory}fpm.conf`, fpmConfiguration],
    [`${panelDirectory}serve.sh`, serveScript],
    [`${panelDirectory}lay-out.php`, layOutScript(paths)]
  ])
  const environment = buildEnvironment(input, input.buildEnv)
  const build = layout && input.buildCmd !== undefined ? buildStage(input, input.buildCmd, environment, files) : []
  files.set(
    `${panelDirectory}Dockerfile`,
    dockerfile(
      from(input.images.php, 'server'),
      labels(input.sharedLabels),
      runShell(prepareServer),
      '',
      ...(layout?.needsCore === false ? [] : [from('server', 'core'), runShell(fetchCore), '']),
      ...build,
      from(layout?.needsCore === false ? 'server' : 'core'),
      labels(input.labels),
      workdir(paths.root),
      copy(`${panelDirectory}apache.conf`, '/etc/apache2/panel.conf'),
      copy(`${panelDirectory}php.ini`, '/etc/panel-php/panel.ini'),
      copy(`${panelDirectory}fpm.conf`, '/usr/local/lib/panel/fpm.conf'),
      copy(`${panelDirectory}serve.sh`, '/usr/local/lib/panel/serve.sh'),
      copy(`${panelDirectory}lay-out.php`, '/usr/local/lib/panel/lay-out.php'),
      env({
        PORT: String(port),
        HOME: '/tmp',
        PHP_INI_SCAN_DIR: ':/etc/panel-php',
        ...phpDefaults,
        ...(layout?.theme === undefined ? {} : { WORDPRESS_DEFAULT_THEME: layout.theme }),
        ...apacheEnvironment
      }),
      expose(port),
      command(['/bin/sh', '-c', 'php /usr/local/lib/panel/lay-out.php && exec bash /usr/local/lib/panel/serve.sh']),
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
    bases: [baseImage(input.images, 'php')],
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

const apacheEnvironment = {
  APACHE_RUN_USER: 'www-data',
  APACHE_RUN_GROUP: 'www-data',
  APACHE_RUN_DIR: '/tmp',
  APACHE_LOCK_DIR: '/tmp',
  APACHE_LOG_DIR: '/tmp',
  APACHE_PID_FILE: '/tmp/apache2.pid'
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
