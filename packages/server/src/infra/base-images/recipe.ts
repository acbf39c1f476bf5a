import { createHash } from 'node:crypto'
import type { BaseImage, BaseImageKind } from '../image-builder/build-plan.ts'
import { copy, dockerfile, env, from, labels, run, runShell, workdir } from '../image-builder/dockerfile.render.ts'

export interface Recipe {
  /** The official tag it replaces, or the name of a panel image. */
  reference: string
  isOwn?: boolean
  dockerfile: string | undefined
  takesHostNode: boolean
  /** False: the base image is not built here and must exist. */
  isOnDebian?: boolean
  files?: Readonly<Record<string, string>>
  labels?: Readonly<Record<string, string>>
}

export const kinds = ['node', 'static', 'python', 'php'] as const satisfies readonly BaseImageKind[]

/** Hash of recipe and week: avoids rebuilding the same image and picks up updates weekly. */
export const keyLabel = 'panel.base-image'

export const stageLabel = 'panel.base-image-stage'

/** A container with this label and without an instance is a build step that an engine crash left behind. */
export const stepLabel = 'panel.base-image-step'

/** The machine's CA certificates in the context and in the image; separate from Debian's file, which apt rewrites. */
export const authoritiesFile = 'authorities.pem'
const authorities = '/usr/local/share/panel-build-authorities.pem'

/** npm's settings: the registry that an administrator chose. */
const npmrcFile = 'npmrc'

/** Release that the images are made of, whatever the server runs on. */
const debian = 'trixie'

export const baseRecipe: Recipe = { reference: `debian:${debian}-slim`, dockerfile: undefined, takesHostNode: false }

export const apt = (...packages: readonly string[]): string =>
  runShell(
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ' +
      `${packages.join(' ')} && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin`
  )

const nodePackage = `node-linux-${process.arch}`

// This machine's Node.js only runs npm, which fetches the wanted version and checks its sum.
const nodeImage = (version: string): string =>
  dockerfile(
    from(baseRecipe.reference, 'fetched'),
    labels({ [stageLabel]: 'yes' }),
    copy('node', '/usr/local/bin/node'),
    copy('npm/', '/usr/local/lib/node_modules/npm/'),
    copy(authoritiesFile, authorities),
    copy(npmrcFile, '/root/.npmrc'),
    env({ NODE_EXTRA_CA_CERTS: authorities }),
    workdir('/fetched'),
    run(
      'node',
      '/usr/local/lib/node_modules/npm/bin/npm-cli.js',
      ...['install', '--ignore-scripts', '--no-audit', '--no-fund', `${nodePackage}@${version}`, 'npm@11']
    ),
    // Headers of other machines.
    runShell(
      `find node_modules/${nodePackage}/include/node/openssl/archs -mindepth 1 -maxdepth 1 ! -name 'linux-*' -exec rm -r {} +`
    ),
    '',
    from(baseRecipe.reference),
    copy(`/fetched/node_modules/${nodePackage}/bin/node`, '/usr/local/bin/node', 'fetched'),
    copy(`/fetched/node_modules/${nodePackage}/include/`, '/usr/local/include/', 'fetched'),
    copy('/fetched/node_modules/npm/', '/usr/local/lib/node_modules/npm/', 'fetched'),
    copy(authoritiesFile, authorities),
    runShell(
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ' +
        'ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && useradd -m -u 1000 -s /bin/bash node && node -v && npm -v'
    ),
    env({ NODE_EXTRA_CA_CERTS: authorities }),
    'CMD ["node"]'
  )

// Debian's scripts name /usr/bin/python3; through env they follow an active virtual environment.
const pythonImage = dockerfile(
  from(baseRecipe.reference),
  apt('python3', 'python3-venv', 'python3-pip', 'python3-flask', 'gunicorn', 'uvicorn'),
  copy(authoritiesFile, authorities),
  runShell(
    'ln -sf python3 /usr/bin/python && useradd -m -u 1000 app && ' +
      "sed -i '1s|^#!.*python3.*$|#!/usr/bin/env python3|' /usr/bin/gunicorn /usr/bin/uvicorn /usr/bin/flask"
  ),
  env({ PIP_CERT: authorities }),
  'CMD ["python3"]'
)

const staticImage = dockerfile(
  from(baseRecipe.reference),
  apt('caddy', 'mailcap'),
  runShell(
    "mkdir -p /srv /etc/caddy && printf ':80 {\\n\\troot * /srv\\n\\tfile_server\\n}\\n' > /etc/caddy/Caddyfile"
  ),
  env({ XDG_CONFIG_HOME: '/config', XDG_DATA_HOME: '/data' }),
  'CMD ["caddy","run","--config","/etc/caddy/Caddyfile","--adapter","caddyfile"]'
)

// With the modules of WordPress's hosting handbook.
const phpPackages = ['apache2', 'php-fpm', 'php-mysql', 'php-gd', 'php-curl', 'php-xml', 'php-mbstring', 'php-zip', 'php-intl', 'php-imagick', 'php-bcmath', 'php-soap', 'php-apcu', 'php-redis', 'mariadb-client'] // oxfmt-ignore

// Debian's WordPress is a tree of symlinks; this makes a plain copy.
const phpImage = dockerfile(
  from(baseRecipe.reference, 'php'),
  apt(...phpPackages),
  '',
  from('php', 'wordpress'),
  labels({ [stageLabel]: 'yes' }),
  apt('wordpress', 'wordpress-theme-twentytwentythree'),
  runShell(
    'mkdir -p /usr/src/wordpress/wp-content/uploads && cd /usr/share/wordpress && ' +
      'for f in * .htaccess; do case "$f" in wp-config.php|wp-content|.htaccess) ;; *) cp -RL "$f" /usr/src/wordpress/ ;; esac; done && ' +
      'cp -RL wp-content/. /var/lib/wordpress/wp-content/. /usr/src/wordpress/wp-content/ && ' +
      'rm -rf /usr/src/wordpress/wp-config.php && test -f /usr/src/wordpress/wp-load.php'
  ),
  '',
  from('php'),
  copy('/usr/src/wordpress/', '/usr/src/wordpress/', 'wordpress'),
  // The name that the official image has.
  runShell('ln -s /usr/sbin/php-fpm[0-9]* /usr/local/sbin/php-fpm'),
  'CMD ["php-fpm"]'
)

/** Debian's own versions; others come from a registry. */
export const debianPython = '3.13'
export const debianPhp = '8.4'

/** What replaces an official image where no registry answers. Undefined: nothing does. */
export function recipeOf({ kind, version = '' }: Pick<BaseImage, 'kind' | 'version'>, npmrc = ''): Recipe | undefined {
  switch (kind) {
    case 'node':
      return {
        reference: `node:${version}-${debian}-slim`,
        dockerfile: nodeImage(version),
        takesHostNode: true,
        files: { [npmrcFile]: npmrc }
      }
    case 'python':
      return version === debianPython
        ? { reference: `python:${version}-slim-${debian}`, dockerfile: pythonImage, takesHostNode: false }
        : undefined
    case 'static':
      return { reference: 'caddy:2', dockerfile: staticImage, takesHostNode: false }
    case 'php':
      return version === debianPhp
        ? { reference: `php:${version}-fpm`, dockerfile: phpImage, takesHostNode: false }
        : undefined
  }
}

/** 160 MB without apt cache and documentation. mmdebstrap's default mirrors include security updates. */
export const mmdebstrapArgv: readonly [string, ...string[]] = [
  'mmdebstrap',
  '--quiet',
  '--format=tar',
  '--variant=apt',
  '--include=ca-certificates,debian-archive-keyring,passwd,libstdc++6,libatomic1,git,curl',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=force-unsafe-io',
  debian,
  '-'
]

export function recipeKey(recipe: Recipe, now: Date): string {
  const parts = [recipe, mmdebstrapArgv, isoWeek(now)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** ISO 8601: a week belongs to the year of its Thursday. */
export function isoWeek(date: Date): string {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const firstDay = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.ceil(((thursday.getTime() - firstDay) / 86_400_000 + 1) / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}
