/** How a module of PHP is installed: its package of Debian, and on the official image, compiled there or from PECL. */
interface PhpModule {
  debian: string
  /** Headers for compiling on the official image. */
  headers?: readonly string[]
  isPecl?: true
}

const core = (headers: readonly string[] = []): PhpModule => ({ debian: '', headers })
const bundled = (debian: string, headers: readonly string[] = []): PhpModule => ({ debian, headers })
const pecl = (debian: string, headers: readonly string[] = []): PhpModule => ({ debian, headers, isPecl: true })

/** Debian's PHP has those without a package. What is not in this table is a matter of Composer, which names what is missing. */
const modules: Readonly<Record<string, PhpModule>> = {
  amqp: pecl('php-amqp', ['librabbitmq-dev']),
  apcu: pecl('php-apcu'),
  bcmath: bundled('php-bcmath'),
  bz2: bundled('php-bz2', ['libbz2-dev']),
  calendar: core(),
  dba: bundled('php-dba'),
  ds: pecl('php-ds'),
  exif: core(),
  gd: bundled('php-gd', ['libfreetype-dev', 'libjpeg62-turbo-dev', 'libpng-dev', 'libwebp-dev', 'libavif-dev']),
  gettext: core(),
  gmp: bundled('php-gmp', ['libgmp-dev']),
  igbinary: pecl('php-igbinary'),
  imagick: pecl('php-imagick', ['libmagickwand-dev']),
  intl: bundled('php-intl', ['libicu-dev']),
  ldap: bundled('php-ldap', ['libldap-dev']),
  memcached: pecl('php-memcached', ['libmemcached-dev', 'zlib1g-dev']),
  mongodb: pecl('php-mongodb'),
  msgpack: pecl('php-msgpack'),
  mysqli: bundled('php-mysql'),
  pcntl: core(),
  pdo_mysql: bundled('php-mysql'),
  pdo_pgsql: bundled('php-pgsql', ['libpq-dev']),
  pdo_sqlite: bundled('php-sqlite3', ['libsqlite3-dev']),
  pgsql: bundled('php-pgsql', ['libpq-dev']),
  redis: pecl('php-redis'),
  soap: bundled('php-soap', ['libxml2-dev']),
  sockets: core(),
  sqlite3: bundled('php-sqlite3', ['libsqlite3-dev']),
  ssh2: pecl('php-ssh2', ['libssh2-1-dev']),
  tidy: bundled('php-tidy', ['libtidy-dev']),
  uuid: pecl('php-uuid', ['uuid-dev']),
  xsl: bundled('php-xml', ['libxslt1-dev']),
  yaml: pecl('php-yaml', ['libyaml-dev']),
  zip: bundled('php-zip', ['libzip-dev'])
}

/** For databases, pictures and texts: of every site. */
const usual = ['bcmath', 'exif', 'gd', 'intl', 'mysqli', 'pdo_mysql', 'pdo_pgsql', 'pgsql', 'zip']

/** Script that installs what the image does not have. Only names of the table get into it, so that it is trusted. */
export function installModules(needed: readonly string[]): string {
  const names = [...new Set([...usual, ...needed])].filter((name) => Object.hasOwn(modules, name)).toSorted()
  const of = (name: string) => modules[name]!
  const missing = (name: string) => `php -r "exit(extension_loaded('${name}') ? 1 : 0);"`
  const debian = names.flatMap((name) => (of(name).debian === '' ? [] : `${missing(name)} && echo ${of(name).debian};`))
  const compile = names.map(
    (name) =>
      `${missing(name)} && { apt-get install -y -qq --no-install-recommends $PHPIZE_DEPS ${of(name).headers!.join(' ')} >/dev/null && ` +
      `${name === 'gd' ? 'docker-php-ext-configure gd --with-freetype --with-jpeg --with-webp --with-avif >/dev/null && ' : ''}` +
      `${of(name).isPecl ? `pecl install ${name} >/dev/null </dev/null && docker-php-ext-enable ${name}` : `docker-php-ext-install ${name} >/dev/null`} || ` +
      `echo "The PHP module ${name} could not be installed." >&2; };`
  )
  return `if command -v docker-php-ext-install >/dev/null; then
apt-get update -qq
${compile.join('\n')}
else
packages=$({
${debian.join('\n')}
:; } | sort -u)
[ -z "$packages" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null; } || exit 1
fi
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin
`
}

/** Script that installs Composer: Debian's, or on the official image the phar of its authors, with their checksum. */
export const installComposer =
  'if command -v docker-php-ext-install >/dev/null; then apt-get update -qq && apt-get install -y -qq --no-install-recommends git unzip >/dev/null && ' +
  'cd /usr/local/bin && curl -fsS --max-time 120 https://getcomposer.org/download/latest-2.x/composer.phar -o composer.phar ' +
  '-O https://getcomposer.org/download/latest-2.x/composer.phar.sha256sum && sha256sum -c composer.phar.sha256sum && chmod 755 composer.phar && mv composer.phar composer; ' +
  'else apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends composer unzip >/dev/null; fi && ' +
  'rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin'
