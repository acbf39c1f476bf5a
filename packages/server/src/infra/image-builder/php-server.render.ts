import { basename } from 'node:path'
import { panelDirectory } from './build-plan.ts'

/**
 * Apache's configuration for PHP, apart from modules and site. Apache passes PHP files to FPM, which ends idle processes. Works
 * without root and writes only to /tmp. Logs go through a pipe because a non-root process cannot open /dev/stderr when it is
 * root's pipe.
 */
export const apacheWithPhp = String.raw`ServerRoot /etc/apache2
ServerName localhost
ServerTokens Prod
ServerSignature Off
TraceEnable Off
DefaultRuntimeDir /tmp
PidFile /tmp/apache2.pid
Mutex file:/tmp default
User www-data
Group www-data
Listen ${'${PORT}'}
LogLevel warn
ErrorLog "|/bin/cat"
LogFormat "%{X-Forwarded-For}i %h %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" panel
CustomLog "|/bin/cat" panel
Timeout 120
KeepAlive On
KeepAliveTimeout 5
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MinSpareThreads 1
MaxSpareThreads 50
MaxRequestWorkers 50
ProxyTimeout 3600
SetEnvIf X-Forwarded-Proto ^https$ HTTPS=on
`

/** In a folder of a site. Of .htaccess, what only Apache's PHP module knows (php_value) is ignored: sites from such servers have it. */
export const phpFolder = String.raw`AllowOverride All Nonfatal=Unknown
  Require all granted
  CGIPassAuth On
  DirectoryIndex index.php index.html
  <FilesMatch "\.php$">
    SetHandler "proxy:unix:/tmp/php.sock|fcgi://php"
  </FilesMatch>`

/** In a folder of uploads, whatever name for PHP is used. */
export const withoutPhp = String.raw`<FilesMatch "\.(?i:ph(p\d?|ar|tml|ps|t))(\.|$)">
    SetHandler none
    Require all denied
  </FilesMatch>`

export const apacheEnvironment = {
  APACHE_RUN_USER: 'www-data',
  APACHE_RUN_GROUP: 'www-data',
  APACHE_RUN_DIR: '/tmp',
  APACHE_LOCK_DIR: '/tmp',
  APACHE_LOG_DIR: '/tmp',
  APACHE_PID_FILE: '/tmp/apache2.pid'
}

/** What PHP allows unless the project has variables of these names; memory depends on the size of the container. */
export const phpDefaults = {
  PHP_UPLOAD_MAX_FILESIZE: '256M',
  PHP_POST_MAX_SIZE: '256M',
  PHP_MAX_EXECUTION_TIME: '300',
  PHP_MAX_INPUT_VARS: '5000',
  PHP_MEMORY_LIMIT: '80M',
  PHP_OPCACHE_MEMORY: '48',
  PHP_MAX_CHILDREN: '8'
}

/** PHP processes start with requests and end 10 s after the last. The opcode cache stays in the first one. */
const fpmConfiguration = `[global]
error_log = /proc/self/fd/2
log_level = warning
[site]
listen = /tmp/php.sock
pm = ondemand
pm.max_children = \${PHP_MAX_CHILDREN}
pm.process_idle_timeout = 10s
pm.max_requests = 500
clear_env = no
catch_workers_output = yes
decorate_workers_output = no
`

/**
 * Runs PHP and Apache, and ends when one of them does, so that the engine starts the container again. PHP's log goes
 * through a pipe of this user's, for the reason that Apache's does.
 */
const serveScript = `#!/bin/bash
trap 'kill $(jobs -p)' TERM INT
php-fpm --nodaemonize --fpm-config /usr/local/lib/panel/fpm.conf 2> >(exec cat >&2) &
until [ -S /tmp/php.sock ]; do kill -0 $! && sleep 0.1 || exit 1; done
apache2 -f /etc/apache2/panel.conf -D FOREGROUND &
wait -n
kill $(jobs -p)
wait
`

/** Of every site in PHP. */
export const phpSettings = `memory_limit = \${PHP_MEMORY_LIMIT}
upload_max_filesize = \${PHP_UPLOAD_MAX_FILESIZE}
post_max_size = \${PHP_POST_MAX_SIZE}
max_execution_time = \${PHP_MAX_EXECUTION_TIME}
max_input_vars = \${PHP_MAX_INPUT_VARS}
opcache.memory_consumption = \${PHP_OPCACHE_MEMORY}
default_socket_timeout = 10
fastcgi.logging = 0
expose_php = Off
display_errors = Off
log_errors = On
`

/** Files of the server, by their paths in the image. `pool` adds settings that no .user.ini of a site can change. */
export const phpServerFiles = (apache: string, php: string, pool = ''): readonly (readonly [string, string])[] => [
  ['/etc/apache2/panel.conf', apache],
  ['/etc/panel-php/panel.ini', php],
  ['/usr/local/lib/panel/fpm.conf', fpmConfiguration + pool],
  ['/usr/local/lib/panel/serve.sh', serveScript]
]

/** Last part of a shell line. */
export const serve = 'exec bash /usr/local/lib/panel/serve.sh'

/** Where a file of the image is in the build context. */
export const inContext = (path: string): string => `${panelDirectory}${basename(path)}`
