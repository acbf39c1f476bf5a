import { maxRequestBytes } from './database-admin.ts'

export const listenPort = 8080

/**
 * Restricted to the panel's two servers: Adminer is abused to reach other machines or read files via a rogue server.
 */
export const indexPhp = String.raw`<?php
function panel_refuse($reason) {
    http_response_code(403);
    header('Content-Type: text/plain; charset=utf-8');
    exit("$reason\n");
}

function panel_check() {
    $secret = (string) getenv('PANEL_SECRET');
    if ($secret === '' || !hash_equals($secret, $_SERVER['HTTP_X_PANEL_SECRET'] ?? '')) panel_refuse('Open this through the panel.');

    $auth = $_POST['auth'] ?? [];
    if (!is_array($auth)) panel_refuse('Invalid login.');
    if (isset($auth['driver']) && !(is_string($auth['driver']) && isset(PANEL_DRIVERS[$auth['driver']])))
        panel_refuse('This type of database server is not available.');
    foreach ([$_GET['pgsql'] ?? '', $_GET['server'] ?? '', $auth['server'] ?? ''] as $server)
        if ($server !== '') panel_refuse("Leave the server empty: only the panel's own database servers are allowed.");
    if (($_GET['script'] ?? '') === 'version') panel_refuse('Version checks are off.');
}

const PANEL_DRIVERS = ['pgsql' => 'PostgreSQL', 'server' => 'MySQL'];
panel_check();
// Without this cookie, browsers would query adminer.org for the latest version.
$_COOKIE['adminer_version'] = '0';

function adminer_object() {
    // Adminer has defined DRIVER by now, except for MySQL.
    if (defined('Adminer\DRIVER') && !isset(PANEL_DRIVERS[Adminer\DRIVER])) panel_refuse('This type of database server is not available.');

    // Another panel login in the same browser must not inherit these connections.
    $owner = $_SERVER['HTTP_X_PANEL_SESSION'] ?? '';
    if (($_SESSION['panel_session'] ?? null) !== $owner) $_SESSION = ['panel_session' => $owner];

    class PanelAdminer extends Adminer\Adminer {
        function credentials(): array {
            $servers = ['pgsql' => getenv('POSTGRESQL_SERVER'), 'server' => getenv('MYSQL_SERVER')];
            return [$servers[Adminer\DRIVER], $_GET['username'], Adminer\get_password()];
        }

        function bruteForceKey(): string {
            return $_SERVER['HTTP_X_PANEL_USER'] ?? '';
        }

        function permanentLogin($create = false): string {
            return '';
        }

        function importServerPath(): string {
            return '';
        }

        function csp($policies): array {
            return [array_merge($policies[0], [
                'default-src' => "'none'",
                'style-src' => "'self' 'unsafe-inline'",
                'img-src' => "'self' data:",
                'frame-src' => "'none'",
                'frame-ancestors' => "'none'",
            ])];
        }

        function loginForm(): void {
            $field = fn($label, $input) => "<tr><th>$label<td>$input\n";
            $value = fn($name) => Adminer\h(is_string($_GET[$name] ?? null) ? $_GET[$name] : '');
            echo "<table cellspacing='0' class='layout'>\n",
                $field('System', Adminer\html_select('auth[driver]', PANEL_DRIVERS, Adminer\DRIVER)),
                $field('Username', '<input name="auth[username]" id="username" value="' . $value('username') . '" autocomplete="username" autocapitalize="off">'),
                $field('Password', '<input type="password" name="auth[password]" autocomplete="current-password">'),
                $field('Database', '<input name="auth[db]" value="' . $value('db') . '" autocapitalize="off">'),
                "</table>\n<p><input type='hidden' name='auth[server]' value=''><input type='submit' value='Login'>\n";
        }
    }
    return new PanelAdminer;
}

include '/usr/share/adminer/adminer.php';
`

/** Writes only to /tmp; logs go through a pipe because /dev/stderr may belong to root. */
export const apacheConf = `ServerRoot /etc/apache2
ServerName localhost
ServerTokens Prod
ServerSignature Off
TraceEnable Off
DefaultRuntimeDir /tmp
PidFile /tmp/apache2.pid
Mutex file:/tmp default
Listen ${listenPort}
LogLevel warn
ErrorLog "|/bin/cat"
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule alias_module /usr/lib/apache2/modules/mod_alias.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /etc/mime.types
Include mods-enabled/php*.load
Timeout 120
KeepAlive Off
StartServers 2
MinSpareServers 1
MaxSpareServers 3
MaxRequestWorkers 24
MaxConnectionsPerChild 200
LimitRequestBody ${maxRequestBytes}
DocumentRoot /usr/share/panel-adminer
AliasMatch "^/adminer/$" /usr/share/panel-adminer/index.php
<Directory />
  AllowOverride None
  Require all denied
</Directory>
<Directory /usr/share/panel-adminer>
  Require all granted
  SetHandler application/x-httpd-php
</Directory>
`

export const phpIni = `open_basedir = /usr/share/panel-adminer:/usr/share/adminer:/tmp
disable_functions = exec,passthru,shell_exec,system,proc_open,popen,mail,putenv,dl,fsockopen,pfsockopen,stream_socket_client,stream_socket_server,socket_create,symlink,link
allow_url_fopen = Off
allow_url_include = Off
enable_dl = Off
mysqli.allow_local_infile = Off
mysqli.allow_persistent = Off
pgsql.allow_persistent = Off
mysqlnd.net_read_timeout = 110
default_socket_timeout = 10
file_uploads = On
upload_tmp_dir = /tmp
max_file_uploads = 1
upload_max_filesize = ${maxRequestBytes / 2 ** 20}M
post_max_size = ${maxRequestBytes / 2 ** 20}M
max_input_vars = 5000
memory_limit = 192M
session.save_path = /tmp
session.use_strict_mode = On
session.use_only_cookies = On
session.gc_probability = 1
session.gc_maxlifetime = 14400
expose_php = Off
display_errors = Off
log_errors = On
`
