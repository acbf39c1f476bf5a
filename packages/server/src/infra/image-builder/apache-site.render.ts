import { apacheHeaders, apacheRewrites } from './apache-rules.render.ts'
import type { SiteRules } from './site-rules.ts'

/**
 * Apache's whole configuration for the files of a project, which their owner can change at any time. It follows no symbolic
 * link, which Caddy cannot be told. Works without root.
 */
export const apacheSite = (rules: SiteRules): string => String.raw`ServerRoot /etc/apache2
ServerName localhost
ServerTokens Prod
ServerSignature Off
TraceEnable Off
FileETag MTime Size
DefaultRuntimeDir /tmp
PidFile /tmp/apache2.pid
Mutex file:/tmp default
Listen ${'${PORT}'}
LogLevel warn
ErrorLog "|/bin/cat"
${modules.map((name) => `<IfModule !${name}_module>\n  LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n</IfModule>`).join('\n')}
TypesConfig /etc/mime.types
AddDefaultCharset off
LogFormat "%{X-Forwarded-For}i %h %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" panel
CustomLog "|/bin/cat" panel
Timeout 60
KeepAlive On
KeepAliveTimeout 5
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MinSpareThreads 1
MaxSpareThreads 50
MaxRequestWorkers 50
DocumentRoot /srv
<Directory />
  Options None
  AllowOverride None
  Require all denied
</Directory>
<Directory /srv>
  Require all granted
  DirectoryIndex index.html
  DirectorySlash Off
</Directory>
Alias /.panel-404.html /etc/apache2/panel/404.html
<Directory /etc/apache2/panel>
  Require all granted
</Directory>
ErrorDocument 403 /404.html
ErrorDocument 404 /404.html
AddOutputFilterByType DEFLATE text/html text/plain text/css text/xml text/javascript application/javascript application/json application/xml image/svg+xml
Header set Cache-Control "public, max-age=0, must-revalidate"
Header set X-Content-Type-Options nosniff
${apacheHeaders(rules)}
${apacheRewrites(rules)}
`

const modules = [
  'mpm_event',
  'authz_core',
  'unixd',
  'dir',
  'mime',
  'alias',
  'env',
  'filter',
  'deflate',
  'headers',
  'rewrite'
]

export const notFoundPage = '<!doctype html>\n<meta charset="utf-8">\n<title>Not found</title>\n<h1>Not found</h1>\n'

/** The official php image has no Apache. */
export const ensureApache =
  '{ command -v apache2 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends apache2 >/dev/null; }; }'
