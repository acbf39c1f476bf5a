import { neverServed } from './never-served.ts'
import { apacheWithPhp, phpFolder, phpSettings, withoutPhp } from './php-server.render.ts'

export interface PhpSite {
  /** The document root in the container. */
  root: string
  /** Folders elsewhere that are served, by their paths: `/storage`. */
  served: Readonly<Record<string, string>>
  /** Paths without a file are those of index.php, unless .htaccess has rules of its own. */
  hasFrontController: boolean
}

/**
 * Apache's whole configuration for a site in PHP. Its rules are of the server, so that no .htaccess can lift them, and they
 * apply again to a path that one was rewritten to; [F] also to the index of a folder, which [R=404] does not. No symbolic link is served: its target could be /proc/self/environ.
 * The modules that would let a .htaccess reach other files or programs are not loaded.
 */
export const apachePhpSite = (site: PhpSite): string => String.raw`${loadModules}
${apacheWithPhp}TypesConfig /etc/mime.types
AddDefaultCharset off
DocumentRoot ${site.root}
RewriteEngine On
RewriteRule "^" "-" [NS,E=site_proto:http]
RewriteCond "%{HTTP:X-Forwarded-Proto}" "=https"
RewriteRule "^" "-" [NS,E=site_proto:https]
RewriteRule "(^|/)\.(?!well-known(/|$))" "-" [F]
RewriteRule "${neverServed}" "-" [F]
RewriteRule "(?i)(^|/)(composer\.(json|lock|phar)|auth\.json|artisan|Procfile)(/|$)|\.(phps|phtml|phar|inc)(/|$)" "-" [F]
RewriteRule "(?i)^/(.*/)?(vendor|node_modules)/(.*/)?[^/]*\.php\d?(/|$)" "-" [F]
RewriteCond "${site.root}/vendor/autoload.php" "-f"
RewriteRule "^/vendor(/|$)" "-" [F]
${[uploadFolders, ...Object.keys(site.served).map((prefix) => `^${escaped(prefix)}/`)].map((start) => String.raw`RewriteRule "(?i)${start}(.*/)?[^/]*\.(php\d?|pht)(\.[^/]*)?(/|$)" "-" [F]`).join('\n')}
${withoutLinks(site)}
RewriteCond "${site.root}%{REQUEST_URI}" "-d"
RewriteRule "^(.*[^/])$" "%{ENV:site_proto}://%{HTTP_HOST}$1/" [NS,R=301,L]
<Directory />
  Options None
  AllowOverride None
  Require all denied
</Directory>
<Directory ${site.root}>
  Options SymLinksIfOwnerMatch
  DirectorySlash Off
  ${phpFolder}${site.hasFrontController ? frontController : ''}
</Directory>
${servedFolders(site)}<DirectoryMatch "(?i)${uploadFolders}">
  ${withoutPhp}
</DirectoryMatch>
AddOutputFilterByType DEFLATE text/html text/plain text/css text/xml text/javascript application/javascript application/json application/xml image/svg+xml
`

/** Folders that visitors upload to in many applications: PHP does not run there. */
const uploadFolders = '/(uploads|userfiles|files|storage/app/public)/'

const frontController = String.raw`
  RewriteEngine On
  RewriteBase /
  RewriteRule ^index\.php$ - [L]
  RewriteCond %{REQUEST_FILENAME} !-f
  RewriteCond %{REQUEST_FILENAME} !-d
  RewriteRule . /index.php [L]`

/** Apache has no name for a file behind a link in a folder, so each folder of the path is looked at. */
const maxDepth = 20

function withoutLinks({ root, served }: PhpSite): string {
  const prefixes = Object.keys(served)
  const isElsewhere = prefixes.map((prefix) => `(?!${escaped(prefix)}/)`).join('')
  const rules = [...Object.entries(served), ['', root] as const].flatMap(([prefix, directory]) =>
    Array.from({ length: maxDepth }, (_, at) => [
      `RewriteCond "${directory}$1" "-L"`,
      `RewriteRule "^${prefix === '' ? isElsewhere : escaped(prefix)}((?:/[^/]+){${at + 1}})(?:/|$)" "-" [F]`
    ])
  )
  return [...rules.flat(), `RewriteRule "^(?:/[^/]+){${maxDepth + 1}}" "-" [F]`].join('\n')
}

const servedFolders = ({ served }: PhpSite): string =>
  Object.entries(served)
    .map(
      ([prefix, directory]) => `Alias ${prefix} ${directory}
<Directory ${directory}>
  AllowOverride None
  Require all granted
  DirectorySlash Off
  ${withoutPhp}
</Directory>
`
    )
    .join('')

const escaped = (path: string): string => path.replace(/[.]/g, '\\.')

const loadModules = [
  'mpm_event',
  'proxy',
  'proxy_fcgi',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_host',
  'authz_user',
  'auth_basic',
  'access_compat',
  'unixd',
  'dir',
  'mime',
  'alias',
  'env',
  'setenvif',
  'filter',
  'deflate',
  'expires',
  'headers',
  'rewrite'
]
  .map(
    (name) =>
      `<IfModule !${name}_module>\n  LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n</IfModule>`
  )
  .join('\n')

/**
 * Runs before each script, whatever a .htaccess or .user.ini says: an uploaded .htaccess could pass a file of its folder to FPM
 * under another name.
 */
export const guardFile = '/usr/local/lib/panel/guard.php'
export const guardScript = String.raw`<?php
if (preg_match('~${uploadFolders}~i', get_included_files()[0] ?? '')) {
  http_response_code(403);
  exit;
}
`
export const guardedPool = `php_admin_value[auto_prepend_file] = ${guardFile}\n`

interface PhpSettings {
  temporary: string
  sessions: string
  /** Whether a changed file is seen at once, instead of within two seconds. */
  isLive: boolean
}

/** Uploads are buffered beside the site's files: /tmp is container memory. Debian leaves old sessions to a job of its own. */
export const phpSiteSettings = ({ temporary, sessions, isLive }: PhpSettings): string => `upload_tmp_dir = ${temporary}
session.save_path = ${sessions}
${isLive ? 'opcache.revalidate_freq = 0\n' : ''}session.gc_probability = 1
session.use_strict_mode = 1
session.cookie_httponly = 1
${phpSettings}`
