import { describe, expect, test } from 'vitest'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'

const images = { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:8.4-fpm' }

async function render(type: BuildSource['type'], files: Record<string, string>, settings: Partial<BuildSource> = {}) {
  const source = { buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings, type }
  const plan = await planBuild(createMemoryTree(files), source, images, { 'panel.instance': 'i', 'panel.project': 'p' })
  return { plan, text: plan.files.get(plan.dockerfile)! }
}
const json = (value: object) => JSON.stringify(value)

describe('generated Dockerfiles', () => {
  test('npm with a build script', async () => {
    const manifest = json({
      scripts: { build: 'tsc', start: 'node dist/main.js' },
      devDependencies: { typescript: '5' }
    })
    const { plan, text } = await render('NODEJS', { 'package.json': manifest, 'package-lock.json': '{}' })
    expect(text).toMatchInlineSnapshot(`
      "FROM node:20 AS build
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /app
      ENV "NPM_CONFIG_AUDIT"="false" "NPM_CONFIG_FUND"="false" "NPM_CONFIG_UPDATE_NOTIFIER"="false"
      COPY ["dependencies/","/app/"]
      RUN ["npm","ci","--include=dev"]
      COPY ["source/","/app/"]
      COPY ["panel/build-env","/run/panel/build-env"]
      COPY ["panel/build.sh","/run/panel/build.sh"]
      RUN ["/bin/sh","-c",". /run/panel/build-env && export PATH=\\"/app/node_modules/.bin:$PATH\\" && /bin/sh -e /run/panel/build.sh && find . ! -type l \\\\( ! -perm -004 -o -type d ! -perm -005 \\\\) -exec chmod a+rX {} +"]
      RUN ["npm","prune","--omit=dev"]

      FROM node:20
      LABEL "panel.instance"="i" "panel.project"="p"
      RUN ["install","-d","-o","1000","-g","1000","/app","/home/app"]
      WORKDIR /app
      ENV PATH=/app/node_modules/.bin:$PATH
      ENV "NODE_ENV"="production" "HOME"="/home/app" "PORT"="3000"
      EXPOSE 3000
      USER 1000:1000
      CMD ["/bin/sh","-c","exec node dist/main.js"]
      COPY --from=build --chown=1000:1000 ["/app/","/app/"]
      "
    `)
    expect([...plan.dependencyFiles]).toEqual(['package.json', 'package-lock.json'])
    expect(plan.files.get('panel/build.sh')).toBe('npm run build\n')
  })

  test('pnpm without a build', async () => {
    const { text } = await render('NODEJS', {
      'package.json': json({ scripts: { start: 'node a.js' } }),
      'pnpm-lock.yaml': ''
    })
    expect(text).toMatchInlineSnapshot(`
      "FROM node:20 AS tools
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","npm install --global --prefix /opt/tools --no-audit --no-fund pnpm@9 && rm -rf /root/.npm"]

      FROM node:20 AS build
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /app
      COPY --from=tools ["/opt/tools/","/opt/tools/"]
      ENV PATH=/opt/tools/bin:$PATH
      COPY ["dependencies/","/app/"]
      RUN ["pnpm","install","--frozen-lockfile","--prod"]
      COPY ["source/","/app/"]

      FROM node:20
      LABEL "panel.instance"="i" "panel.project"="p"
      RUN ["install","-d","-o","1000","-g","1000","/app","/home/app"]
      WORKDIR /app
      COPY --from=tools ["/opt/tools/","/opt/tools/"]
      ENV PATH=/app/node_modules/.bin:/opt/tools/bin:$PATH
      ENV "NODE_ENV"="production" "HOME"="/home/app" "PORT"="3000"
      EXPOSE 3000
      USER 1000:1000
      CMD ["/bin/sh","-c","exec node a.js"]
      COPY --from=build --chown=1000:1000 ["/app/","/app/"]
      "
    `)
  })

  test('Python', async () => {
    const { text } = await render(
      'PYTHON',
      { 'requirements.txt': 'flask', 'app.py': 'app = Flask()' },
      { buildCmd: 'make' }
    )
    expect(text).toMatchInlineSnapshot(`
      "FROM python:3.11 AS build
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /app
      ENV "PIP_NO_CACHE_DIR"="1" "PIP_DISABLE_PIP_VERSION_CHECK"="1" "PIP_NO_INPUT"="1" "PYTHONDONTWRITEBYTECODE"="1"
      RUN ["python3","-m","venv","--system-site-packages","/opt/venv"]
      ENV PATH=/opt/venv/bin:$PATH VIRTUAL_ENV=/opt/venv
      COPY ["dependencies/","/app/"]
      RUN ["pip","install","--requirement","requirements.txt"]
      RUN ["pip","install","gunicorn"]
      COPY ["source/","/app/"]
      COPY ["panel/build-env","/run/panel/build-env"]
      COPY ["panel/build.sh","/run/panel/build.sh"]
      RUN ["/bin/sh","-c",". /run/panel/build-env && export PATH=\\"/opt/venv/bin:$PATH\\" && /bin/sh -e /run/panel/build.sh && find . ! -type l \\\\( ! -perm -004 -o -type d ! -perm -005 \\\\) -exec chmod a+rX {} +"]

      FROM python:3.11
      LABEL "panel.instance"="i" "panel.project"="p"
      RUN ["install","-d","-o","1000","-g","1000","/app","/home/app"]
      WORKDIR /app
      ENV PATH=/opt/venv/bin:$PATH VIRTUAL_ENV=/opt/venv
      ENV "PYTHONUNBUFFERED"="1" "PYTHONDONTWRITEBYTECODE"="1" "HOME"="/home/app" "PORT"="8000"
      EXPOSE 8000
      USER 1000:1000
      CMD ["/bin/sh","-c","exec python -m gunicorn --bind \\"0.0.0.0:$PORT\\" --threads 4 --worker-tmp-dir /tmp --access-logfile - app:app"]
      COPY --from=build --chown=1000:1000 ["/opt/venv/","/opt/venv/"]
      COPY --from=build --chown=1000:1000 ["/app/","/app/"]
      "
    `)
  })

  test('a plain site', async () => {
    expect((await render('STATIC', { 'public/index.html': '' })).text).toMatchInlineSnapshot(`
      "FROM caddy:2 AS server
      LABEL "panel.instance"="i"
      RUN ["cp","/usr/bin/caddy","/usr/local/bin/caddy-without-capabilities"]

      FROM server
      LABEL "panel.instance"="i" "panel.project"="p"
      COPY ["panel/Caddyfile","/etc/caddy/Caddyfile"]
      ENV "HOME"="/tmp" "XDG_CONFIG_HOME"="/tmp" "XDG_DATA_HOME"="/tmp" "PORT"="8080"
      EXPOSE 8080
      USER 1000:1000
      CMD ["/usr/local/bin/caddy-without-capabilities","run","--config","/etc/caddy/Caddyfile","--adapter","caddyfile"]
      COPY ["source/public/","/srv/"]
      "
    `)
  })

  test('a built site', async () => {
    const manifest = json({ scripts: { build: 'x' }, devDependencies: { '@11ty/eleventy': '1' } })
    expect((await render('STATIC', { 'package.json': manifest, 'package-lock.json': '' })).text).toMatchInlineSnapshot(`
      "FROM node:20 AS build
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /app
      ENV "NPM_CONFIG_AUDIT"="false" "NPM_CONFIG_FUND"="false" "NPM_CONFIG_UPDATE_NOTIFIER"="false"
      COPY ["dependencies/","/app/"]
      RUN ["npm","ci","--include=dev"]
      COPY ["source/","/app/"]
      COPY ["panel/build-env","/run/panel/build-env"]
      COPY ["panel/build.sh","/run/panel/build.sh"]
      RUN ["/bin/sh","-c",". /run/panel/build-env && export PATH=\\"/app/node_modules/.bin:$PATH\\" && /bin/sh -e /run/panel/build.sh && find . ! -type l \\\\( ! -perm -004 -o -type d ! -perm -005 \\\\) -exec chmod a+rX {} +"]
      RUN ["/bin/sh","-c","for d in _site dist build out dist/*/browser dist/* .output/public docs/.vitepress/dist docs/.vuepress/dist public site www .; do if [ -f \\"$d/index.html\\" ]; then echo \\"The site is in $d\\"; if [ \\"$d\\" = . ]; then rm -rf node_modules .git; fi; cp -RL \\"$d\\" /output && exit 0; exit 1; fi; done; echo \\"The build produced no index.html in any of: _site, dist, build, out, .output/public, docs/.vitepress/dist, docs/.vuepress/dist, public, site, www, .\\" >&2; exit 1"]

      FROM caddy:2 AS server
      LABEL "panel.instance"="i"
      RUN ["cp","/usr/bin/caddy","/usr/local/bin/caddy-without-capabilities"]

      FROM server
      LABEL "panel.instance"="i" "panel.project"="p"
      COPY ["panel/Caddyfile","/etc/caddy/Caddyfile"]
      ENV "HOME"="/tmp" "XDG_CONFIG_HOME"="/tmp" "XDG_DATA_HOME"="/tmp" "PORT"="8080"
      EXPOSE 8080
      USER 1000:1000
      CMD ["/usr/local/bin/caddy-without-capabilities","run","--config","/etc/caddy/Caddyfile","--adapter","caddyfile"]
      COPY --from=build ["/output/","/srv/"]
      "
    `)
  })

  test('a WordPress theme', async () => {
    expect((await render('WORDPRESS', { 'style.css': '/* Theme Name: Mine */' })).text).toMatchInlineSnapshot(`
      "FROM php:8.4-fpm AS server
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","{ command -v apache2 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends apache2 >/dev/null; }; } && a2enmod proxy_fcgi rewrite headers expires setenvif >/dev/null && { php -r \\"exit(extension_loaded('mysqli') ? 0 : 1);\\" || docker-php-ext-install mysqli; } && { php -r \\"exit(extension_loaded('intl') && extension_loaded('imagick') ? 0 : 1);\\" || { apt-get update -qq && apt-get install -y -qq --no-install-recommends libicu-dev libzip-dev libfreetype-dev libjpeg62-turbo-dev libpng-dev libwebp-dev libavif-dev libxml2-dev libmagickwand-dev $PHPIZE_DEPS >/dev/null && docker-php-ext-configure gd --with-freetype --with-jpeg --with-webp --with-avif >/dev/null && docker-php-ext-install -j2 bcmath exif gd intl soap zip >/dev/null && pecl install imagick apcu redis >/dev/null && docker-php-ext-enable imagick apcu redis; } || echo \\"Some PHP modules could not be installed.\\" >&2; }"]

      FROM server AS core
      RUN ["/bin/sh","-c","if [ ! -f /usr/src/wordpress/wp-load.php ]; then echo \\"The base image has no WordPress; downloading it.\\" && mkdir -p /usr/src/wordpress && php -r \\"copy('https://wordpress.org/latest.tar.gz', '/tmp/wordpress.tar.gz') || exit(1);\\" && tar -xzf /tmp/wordpress.tar.gz -C /usr/src && rm /tmp/wordpress.tar.gz; fi && find /usr/src/wordpress ! -type l \\\\( ! -perm -004 -o -type d ! -perm -005 \\\\) -exec chmod a+rX {} +"]

      FROM core
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /var/www/html
      COPY ["panel/panel.conf","/etc/apache2/panel.conf"]
      COPY ["panel/panel.ini","/etc/panel-php/panel.ini"]
      COPY ["panel/fpm.conf","/usr/local/lib/panel/fpm.conf"]
      COPY ["panel/serve.sh","/usr/local/lib/panel/serve.sh"]
      COPY ["panel/lay-out.php","/usr/local/lib/panel/lay-out.php"]
      COPY ["panel/page-cache.php","/usr/local/lib/panel/page-cache.php"]
      COPY ["panel/care.php","/usr/local/lib/panel/care.php"]
      COPY ["panel/prepend.php","/usr/local/lib/panel/prepend.php"]
      ENV "PORT"="8080" "HOME"="/tmp" "PHP_INI_SCAN_DIR"=":/etc/panel-php" "PHP_UPLOAD_MAX_FILESIZE"="256M" "PHP_POST_MAX_SIZE"="256M" "PHP_MAX_EXECUTION_TIME"="300" "PHP_MAX_INPUT_VARS"="5000" "PHP_MEMORY_LIMIT"="80M" "PHP_OPCACHE_MEMORY"="48" "PHP_MAX_CHILDREN"="8" "WORDPRESS_DEFAULT_THEME"="mine" "APACHE_RUN_USER"="www-data" "APACHE_RUN_GROUP"="www-data" "APACHE_RUN_DIR"="/tmp" "APACHE_LOCK_DIR"="/tmp" "APACHE_LOG_DIR"="/tmp" "APACHE_PID_FILE"="/tmp/apache2.pid"
      EXPOSE 8080
      CMD ["/bin/sh","-c","php /usr/local/lib/panel/lay-out.php && exec bash /usr/local/lib/panel/serve.sh"]
      COPY ["source/","/usr/src/site/wp-content/themes/mine/"]
      USER 33:33
      "
    `)
  })

  test('a plain PHP site', async () => {
    const { plan, text } = await render('PHP', { 'index.php': '' })
    expect(text).toMatchInlineSnapshot(`
      "FROM php:8.4-fpm AS server
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","{ command -v apache2 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends apache2 >/dev/null; }; }"]
      COPY ["panel/modules.sh","/run/panel/modules.sh"]
      RUN ["/bin/sh","/run/panel/modules.sh"]

      FROM server
      LABEL "panel.instance"="i" "panel.project"="p"
      RUN ["install","-d","-o","1000","-g","1000","/app","/home/app"]
      WORKDIR /app
      COPY ["panel/panel.conf","/etc/apache2/panel.conf"]
      COPY ["panel/panel.ini","/etc/panel-php/panel.ini"]
      COPY ["panel/fpm.conf","/usr/local/lib/panel/fpm.conf"]
      COPY ["panel/serve.sh","/usr/local/lib/panel/serve.sh"]
      COPY ["panel/guard.php","/usr/local/lib/panel/guard.php"]
      ENV "PORT"="8080" "HOME"="/home/app" "PHP_INI_SCAN_DIR"=":/etc/panel-php" "PHP_UPLOAD_MAX_FILESIZE"="256M" "PHP_POST_MAX_SIZE"="256M" "PHP_MAX_EXECUTION_TIME"="300" "PHP_MAX_INPUT_VARS"="5000" "PHP_MEMORY_LIMIT"="80M" "PHP_OPCACHE_MEMORY"="48" "PHP_MAX_CHILDREN"="8" "APACHE_RUN_USER"="www-data" "APACHE_RUN_GROUP"="www-data" "APACHE_RUN_DIR"="/tmp" "APACHE_LOCK_DIR"="/tmp" "APACHE_LOG_DIR"="/tmp" "APACHE_PID_FILE"="/tmp/apache2.pid"
      EXPOSE 8080
      USER 1000:1000
      CMD ["/bin/sh","-c","mkdir -p -m 700 /data/.panel-tmp && exec bash /usr/local/lib/panel/serve.sh"]
      COPY --chown=1000:1000 ["source/","/app/"]
      "
    `)
    expect(plan).toMatchObject({ filesAt: '/data', readOnlyRoot: false })
  })

  test('Laravel', async () => {
    const files = { 'composer.json': json({ require: { 'laravel/framework': '^12', 'ext-bz2': '*' } }), 'composer.lock': '{}', artisan: '' }
    const { plan, text } = await render('PHP', files)
    expect(text).toMatchInlineSnapshot(`
      "FROM php:8.4-fpm AS server
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","{ command -v apache2 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends apache2 >/dev/null; }; }"]
      COPY ["panel/modules.sh","/run/panel/modules.sh"]
      RUN ["/bin/sh","/run/panel/modules.sh"]

      FROM server AS composer
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","if command -v docker-php-ext-install >/dev/null; then apt-get update -qq && apt-get install -y -qq --no-install-recommends git unzip >/dev/null && cd /usr/local/bin && curl -fsS --max-time 120 https://getcomposer.org/download/latest-2.x/composer.phar -o composer.phar -O https://getcomposer.org/download/latest-2.x/composer.phar.sha256sum && sha256sum -c composer.phar.sha256sum && chmod 755 composer.phar && mv composer.phar composer; else apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends composer unzip >/dev/null; fi && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin"]

      FROM composer AS build
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /app
      ENV "COMPOSER_ALLOW_SUPERUSER"="1" "COMPOSER_NO_INTERACTION"="1" "COMPOSER_CACHE_DIR"="/root/.cache/composer" "COMPOSER_PROCESS_TIMEOUT"="0"
      COPY ["source/","/app/"]
      COPY ["panel/build-env","/run/panel/build-env"]
      COPY ["panel/install.sh","/run/panel/install.sh"]
      RUN ["/bin/sh","-c",". /run/panel/build-env && exec /bin/sh -e /run/panel/install.sh"]
      RUN ["/bin/sh","-c","mkdir -p /usr/local/share/panel-kept/ ./ && if [ -d storage ] && [ ! -L storage ]; then mv storage /usr/local/share/panel-kept/storage; else rm -rf storage; fi && ln -s /data/storage storage"]

      FROM server
      LABEL "panel.instance"="i" "panel.project"="p"
      RUN ["install","-d","-o","1000","-g","1000","/app","/home/app"]
      WORKDIR /app
      COPY ["panel/panel.conf","/etc/apache2/panel.conf"]
      COPY ["panel/panel.ini","/etc/panel-php/panel.ini"]
      COPY ["panel/fpm.conf","/usr/local/lib/panel/fpm.conf"]
      COPY ["panel/serve.sh","/usr/local/lib/panel/serve.sh"]
      COPY ["panel/guard.php","/usr/local/lib/panel/guard.php"]
      ENV "PORT"="8080" "HOME"="/home/app" "PHP_INI_SCAN_DIR"=":/etc/panel-php" "PHP_UPLOAD_MAX_FILESIZE"="256M" "PHP_POST_MAX_SIZE"="256M" "PHP_MAX_EXECUTION_TIME"="300" "PHP_MAX_INPUT_VARS"="5000" "PHP_MEMORY_LIMIT"="80M" "PHP_OPCACHE_MEMORY"="48" "PHP_MAX_CHILDREN"="8" "APACHE_RUN_USER"="www-data" "APACHE_RUN_GROUP"="www-data" "APACHE_RUN_DIR"="/tmp" "APACHE_LOCK_DIR"="/tmp" "APACHE_LOG_DIR"="/tmp" "APACHE_PID_FILE"="/tmp/apache2.pid"
      EXPOSE 8080
      USER 1000:1000
      CMD ["/bin/sh","-c","cp -Rn /usr/local/share/panel-kept/. /data/ 2>/dev/null; mkdir -p -m 700 /data/.panel-tmp && exec bash /usr/local/lib/panel/serve.sh"]
      COPY --from=build --chown=1000:1000 ["/usr/local/share/panel-kept/","/usr/local/share/panel-kept/"]
      COPY --from=build --chown=1000:1000 ["/app/","/app/"]
      "
    `)
    expect(plan.files.get('panel/panel.conf')).toMatch(/^DocumentRoot \/app\/public$/m)
    expect(plan.keeps).toContain('storage/app/public')
  }) // oxfmt-ignore

  test('a PHP site from files', async () => {
    const { plan, text } = await render('PHP', {}, { siteFiles: { php: { 'public/index.php': '' } } })
    expect(text).toMatchInlineSnapshot(`
      "FROM php:8.4-fpm AS server
      LABEL "panel.instance"="i"
      RUN ["/bin/sh","-c","{ command -v apache2 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends apache2 >/dev/null; }; }"]
      COPY ["panel/modules.sh","/run/panel/modules.sh"]
      RUN ["/bin/sh","/run/panel/modules.sh"]

      FROM server
      LABEL "panel.instance"="i" "panel.project"="p"
      WORKDIR /srv
      COPY ["panel/panel.conf","/etc/apache2/panel.conf"]
      COPY ["panel/panel.ini","/etc/panel-php/panel.ini"]
      COPY ["panel/fpm.conf","/usr/local/lib/panel/fpm.conf"]
      COPY ["panel/serve.sh","/usr/local/lib/panel/serve.sh"]
      COPY ["panel/guard.php","/usr/local/lib/panel/guard.php"]
      ENV "PORT"="8080" "HOME"="/tmp" "PHP_INI_SCAN_DIR"=":/etc/panel-php" "PHP_UPLOAD_MAX_FILESIZE"="256M" "PHP_POST_MAX_SIZE"="256M" "PHP_MAX_EXECUTION_TIME"="300" "PHP_MAX_INPUT_VARS"="5000" "PHP_MEMORY_LIMIT"="80M" "PHP_OPCACHE_MEMORY"="48" "PHP_MAX_CHILDREN"="8" "APACHE_RUN_USER"="www-data" "APACHE_RUN_GROUP"="www-data" "APACHE_RUN_DIR"="/tmp" "APACHE_LOCK_DIR"="/tmp" "APACHE_LOG_DIR"="/tmp" "APACHE_PID_FILE"="/tmp/apache2.pid"
      EXPOSE 8080
      USER 33:33
      CMD ["/bin/sh","-c","mkdir -p -m 700 /srv/.panel-tmp && exec bash /usr/local/lib/panel/serve.sh"]
      "
    `)
    expect(plan.files.get('panel/panel.conf')).toMatch(/^DocumentRoot \/srv\/public$/m)
    expect(plan).toMatchObject({ filesAt: '/srv', servesFiles: true, writesFiles: true, readOnlyRoot: true })
  })
})

describe('compilers', () => {
  const withCompilers = async (type: BuildSource['type'], manifest: object) => {
    const source = { type, buildCmd: null, startCmd: null, port: null, buildEnv: {} }
    const files = { 'package.json': json(manifest), 'pnpm-lock.yaml': '' }
    const plan = await planBuild(createMemoryTree(files), source, { ...images, compilers: () => 'compilers' }, {})
    const stages = plan.files.get(plan.dockerfile)!.match(/^FROM .*$/gm)
    return { compiles: plan.compiles, stages }
  }

  test('are only in the stage that installs dependencies', async () => {
    const manifest = { scripts: { start: 'x', build: 'y' }, dependencies: { a: '1' } }
    expect(await withCompilers('NODEJS', manifest)).toEqual({
      compiles: true,
      stages: ['FROM node:20 AS tools', 'FROM compilers AS build', 'FROM node:20']
    })
    expect((await withCompilers('STATIC', manifest)).stages).toContain('FROM compilers AS build')
  })

  test('are not used without dependencies', async () => {
    expect(await withCompilers('NODEJS', { scripts: { start: 'x' } })).toMatchObject({ compiles: false })
  })
})

describe('the dependency layer', () => {
  const order = (text: string) =>
    ['COPY ["dependencies/"', 'COPY ["source/"', 'RUN ["npm","ci"']
      .map((line) => text.indexOf(line))
      .map((at) => (at < 0 ? 'absent' : at))

  test('contains no source unless install scripts may need it', async () => {
    const lock = { 'package-lock.json': '{}', 'a.js': '' }
    for (const needy of [
      { scripts: { postinstall: 'node a.js' } },
      { scripts: { prepare: 'husky' } },
      { dependencies: { a: 'file:./a' } },
      { pnpm: { patchedDependencies: { a: 'patches/a' } } }
    ]) {
      const { text, plan } = await render('NODEJS', { 'package.json': json({ main: 'a.js', ...needy }), ...lock })
      const [dependencies, source, install] = order(text)
      expect([dependencies, plan.dependencyFiles.size], json(needy)).toEqual(['absent', 0])
      expect(source).toBeLessThan(install as number)
    }
    const [dependencies, source, install] = order((await render('NODEJS', { 'package.json': json({ main: 'a.js' }), ...lock })).text)
    expect(dependencies).toBeLessThan(install as number)
    expect(install).toBeLessThan(source as number)
  }) // oxfmt-ignore

  test('of a workspace contains every package.json', async () => {
    const files = { 'package.json': json({ workspaces: ['p/*'], main: 'a.js' }), 'a.js': '', 'p/a/package.json': '{}', 'p/$(id)/package.json': '{}', 'node_modules/x/package.json': '{}' } // oxfmt-ignore
    const { plan } = await render('NODEJS', files)
    expect([...plan.dependencyFiles]).toEqual(['package.json', 'p/a/package.json', 'p/$(id)/package.json'])
  })

  test('a registry token in .npmrc is available only in the build stage', async () => {
    const files = { 'package.json': json({ main: 'a.js' }), 'package-lock.json': '{}', 'a.js': '', '.npmrc': '//r/:_authToken=${TOKEN}' }
    const { text, plan } = await render('NODEJS', files, { buildEnv: { TOKEN: 'secret-token' } })
    expect(text).toContain('RUN ["/bin/sh","-c",". /run/panel/build-env && exec \\"$@\\"","install","npm","ci","--omit=dev"]')
    expect(plan.files.get('panel/build-env')).toBe("export TOKEN='secret-token'\n")
    expect(text).not.toContain('secret-token')
  }) // oxfmt-ignore
})

describe('development dependencies', () => {
  const install = async (manifest: object, settings: Partial<BuildSource> = {}) => {
    const files = {
      'package.json': json({ devDependencies: { vite: '1', '@nestjs/cli': '1' }, ...manifest }),
      'package-lock.json': '{}'
    }
    const { text } = await render('NODEJS', files, settings)
    return [
      text.includes('--omit=dev"]\n') && !text.includes('"prune"')
        ? 'never'
        : text.includes('"prune"')
          ? 'pruned'
          : 'kept'
    ]
  }

  test.each([
    ['no build', { scripts: { start: 'node a.js' } }, {}, 'never'],
    ['a build', { scripts: { build: 'x', start: 'node a.js' } }, {}, 'pruned'],
    ['the start command is one of them', { scripts: { build: 'x', start: 'vite preview' } }, {}, 'kept'],
    ['the start command is of a scope', { scripts: { start: 'nest start' } }, {}, 'kept'],
    ['the start command is hidden', { scripts: { build: 'x', start: 'npm run serve' } }, {}, 'kept'],
    ['the start command of the project', { scripts: { build: 'x' } }, { startCmd: 'npx vite' }, 'kept']
  ])('%s', async (_, manifest, settings, expected) => {
    expect(await install(manifest, settings)).toEqual([expected])
  })
})
