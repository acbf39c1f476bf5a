/**
 * The whole configuration of Apache, beside the modules that the base image has enabled: it works on Debian's Apache and on
 * the official php image alike, needs no root and writes nothing but /tmp. Logs go through a pipe, since a process that is
 * not root cannot open /dev/stderr when it is a pipe of root's.
 */
export const apacheConfiguration = String.raw`ServerRoot /etc/apache2
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
IncludeOptional mods-enabled/*.load
IncludeOptional mods-enabled/*.conf
LogFormat "%{X-Forwarded-For}i %h %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" panel
CustomLog "|/bin/cat" panel
Timeout 120
KeepAlive On
KeepAliveTimeout 5
StartServers 2
MinSpareServers 1
MaxSpareServers 3
MaxRequestWorkers 10
MaxConnectionsPerChild 500
SetEnvIf X-Forwarded-Proto ^https$ HTTPS=on
DocumentRoot /var/www/html
<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<Directory /var/www/html>
  AllowOverride All
  Require all granted
  DirectoryIndex index.php index.html
  <FilesMatch "\.php$">
    SetHandler application/x-httpd-php
  </FilesMatch>
  RewriteEngine On
  RewriteBase /
  RewriteRule ^index\.php$ - [L]
  RewriteCond %{REQUEST_FILENAME} !-f
  RewriteCond %{REQUEST_FILENAME} !-d
  RewriteRule . /index.php [L]
</Directory>
<Directory /var/www/html/wp-content/uploads>
  AllowOverride None
  <FilesMatch "\.(?i:ph(p\d?|ar|tml|ps|t))$">
    SetHandler none
    Require all denied
  </FilesMatch>
</Directory>
<FilesMatch "^\.(?!well-known)|^wp-config\.php$|\.sql$">
  Require all denied
</FilesMatch>
<DirectoryMatch "/\.(?!well-known)">
  Require all denied
</DirectoryMatch>
`

/** Settings of PHP for a root file system that cannot be written. */
export const phpConfiguration = `session.save_path = /tmp
upload_tmp_dir = /tmp
upload_max_filesize = 64M
post_max_size = 64M
max_execution_time = 120
expose_php = Off
display_errors = Off
log_errors = On
`

/**
 * A wp-config.php that holds no secret: all of it comes from the environment. The keys derive from the database's password
 * unless they are given, so they are stable over restarts and as secret as it is.
 */
export const wordpressConfiguration = (options: { theme: string | undefined }): string => String.raw`<?php
function panel_env($names, $default = '') {
  foreach ($names as $name) {
    $value = getenv($name);
    if ($value !== false && $value !== '') return $value;
  }
  return $default;
}

$panel_port = panel_env(['DB_PORT']);
$panel_host = panel_env(['WORDPRESS_DB_HOST', 'DB_HOST'], 'localhost');
if ($panel_port !== '' && strpos($panel_host, ':') === false) $panel_host .= ':' . $panel_port;
define('DB_HOST', $panel_host);
define('DB_NAME', panel_env(['WORDPRESS_DB_NAME', 'DB_NAME'], 'wordpress'));
define('DB_USER', panel_env(['WORDPRESS_DB_USER', 'DB_USER'], 'wordpress'));
define('DB_PASSWORD', panel_env(['WORDPRESS_DB_PASSWORD', 'DB_PASSWORD']));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
$table_prefix = panel_env(['WORDPRESS_TABLE_PREFIX'], 'wp_');

foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $panel_key) {
  define($panel_key, panel_env(['WORDPRESS_' . $panel_key, $panel_key], hash_hmac('sha256', $panel_key . DB_NAME . DB_USER, DB_PASSWORD)));
}

define('WP_DEBUG', panel_env(['WORDPRESS_DEBUG']) !== '');
define('WP_DEBUG_DISPLAY', false);
define('DISALLOW_FILE_MODS', true);
define('FS_METHOD', 'direct');
define('WP_TEMP_DIR', '/tmp');
${options.theme === undefined ? '' : `define('WP_DEFAULT_THEME', '${options.theme}');\n`}
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`
