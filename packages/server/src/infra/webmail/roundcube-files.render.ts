export const listenPort = 8080
/** Endpoint for the panel only; the reverse proxy does not route to it. */
export const activityPort = 8081
export const stateDirectory = '/var/lib/panel-webmail'
export const filesDirectory = '/usr/share/panel-webmail'
const databaseFile = `${stateDirectory}/roundcube.sqlite`
const maxUploadMegabytes = 50

/** The mail servers are at the gateway of the container network, which their certificate does not cover. */
export const configPhp = String.raw`<?php
$config = [];
$config['db_dsnw'] = 'sqlite:///${databaseFile}?mode=0600';
$config['des_key'] = getenv('PANEL_SESSION_KEY');
$config['cipher_method'] = 'AES-256-GCM';
$config['session_samesite'] = 'Lax';
$tls = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]];
$config['imap_host'] = 'ssl://' . getenv('PANEL_IMAP_SERVER');
$config['imap_conn_options'] = $tls;
$config['smtp_host'] = 'tls://' . getenv('PANEL_SMTP_SERVER');
$config['smtp_user'] = '%u';
$config['smtp_pass'] = '%p';
$config['smtp_helo_host'] = getenv('PANEL_HOSTNAME');
$config['smtp_conn_options'] = $tls;
$config['managesieve_host'] = 'tls://' . getenv('PANEL_SIEVE_SERVER');
$config['managesieve_conn_options'] = $tls;
$config['managesieve_vacation'] = 0;
$config['login_username_filter'] = 'email';
$config['login_lc'] = 2;
// Off: it would let anyone lock an owner out. Dovecot has brute-force protection per network.
$config['login_rate_limit'] = 0;
$config['login_autocomplete'] = 2;
$config['plugins'] = ['panel', 'archive', 'managesieve', 'markasjunk', 'zipdownload'];
$config['markasjunk_spam_mbox'] = 'Junk';
$config['markasjunk_ham_mbox'] = 'INBOX';
$config['drafts_mbox'] = 'Drafts';
$config['sent_mbox'] = 'Sent';
$config['junk_mbox'] = 'Junk';
$config['trash_mbox'] = 'Trash';
$config['archive_mbox'] = 'Archive';
$config['product_name'] = 'Webmail';
$config['support_url'] = '';
$config['useragent'] = 'Webmail';
$config['skin'] = 'elastic';
$config['display_product_info'] = 0;
$config['enable_installer'] = false;
$config['enable_spellcheck'] = false;
$config['session_lifetime'] = 60;
$config['temp_dir'] = '${stateDirectory}/temp/';
$config['log_driver'] = 'stdout';
`

/**
 * Reports the client's address to Dovecot, so that brute-force protection does not block all webmail users. And if an
 * address was reassigned to a new mailbox (UIDVALIDITY of INBOX changes, RFC 9051 §2.3.1.1), deletes the previous
 * owner's contacts and settings.
 */
export const pluginPhp = String.raw`<?php
class panel extends rcube_plugin
{
    public function init()
    {
        $this->add_hook('storage_connect', [$this, 'name_client']);
        $this->add_hook('login_after', [$this, 'part_from_former']);
    }

    public function name_client($options)
    {
        $options['preauth_ident'] = ['x-originating-ip' => rcube_utils::remote_addr()];
        return $options;
    }

    public function part_from_former($next)
    {
        $rc = rcmail::get_instance();
        $inbox = $rc->get_storage()->folder_data('INBOX');
        $number = (string) ($inbox['UIDVALIDITY'] ?? '');
        if ($number === '') throw new Exception('The inbox has no UIDVALIDITY');
        $known = (string) ($rc->user->get_prefs()['panel_inbox'] ?? '');
        if ($known !== '' && $known !== $number) {
            $db = $rc->get_dbh();
            $db->query('PRAGMA foreign_keys = ON');
            $db->query('DELETE FROM ' . $db->table_name('users', true) . ' WHERE user_id = ?', $rc->user->ID);
            $rc->set_user(rcube_user::create($_SESSION['username'], $_SESSION['storage_host']));
            $_SESSION['user_id'] = $rc->user->ID;
        }
        if ($known !== $number) $rc->user->save_prefs(['panel_inbox' => $number]);
        return $next;
    }
}
`

/** Endpoint for the panel: latest login of each requested address. */
export const activityPhp = String.raw`<?php
header('Content-Type: application/json');
$secret = (string) getenv('PANEL_SECRET');
if ($secret === '' || !hash_equals($secret, $_SERVER['HTTP_X_PANEL_SECRET'] ?? '')) {
    http_response_code(403);
    exit('{}');
}
try {
    $addresses = json_decode(file_get_contents('php://input'), true, 4, JSON_THROW_ON_ERROR);
    $logins = [];
    // Created by Roundcube at the first login.
    if ($addresses && file_exists('${databaseFile}')) {
        $db = new PDO('sqlite:${databaseFile}', null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 3]);
        foreach (array_chunk($addresses, 500) as $some) {
            $places = implode(',', array_fill(0, count($some), '?'));
            $query = $db->prepare("select username, max(last_login) from users where username in ($places) and last_login is not null group by username");
            $query->execute($some);
            foreach ($query->fetchAll(PDO::FETCH_NUM) as [$address, $at]) $logins[] = [$address, $at];
        }
    }
    echo json_encode(['logins' => $logins], JSON_THROW_ON_ERROR);
} catch (Throwable $error) {
    http_response_code(500);
    echo json_encode(['error' => $error->getMessage()], JSON_INVALID_UTF8_SUBSTITUTE);
}
`

/** Apache configuration. Writes only to /tmp; logs through a pipe, since /dev/stderr may belong to root. */
export const apacheConf = `ServerRoot /etc/apache2
ServerName localhost
ServerTokens Prod
ServerSignature Off
TraceEnable Off
FileETag None
DefaultRuntimeDir /tmp
PidFile /tmp/apache2.pid
Mutex file:/tmp default
Listen ${listenPort}
Listen ${activityPort}
LogLevel warn
ErrorLog "|/bin/cat"
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
LoadModule remoteip_module /usr/lib/apache2/modules/mod_remoteip.so
LoadModule setenvif_module /usr/lib/apache2/modules/mod_setenvif.so
TypesConfig /etc/mime.types
Include mods-enabled/php*.load
Timeout 120
KeepAlive Off
StartServers 1
MinSpareServers 1
MaxSpareServers 3
MaxRequestWorkers 32
MaxConnectionsPerChild 500
LimitRequestBody ${(maxUploadMegabytes + 4) * 2 ** 20}
# Set by the reverse proxy, which overwrites what clients send; nothing else reaches this port.
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16
SetEnvIf X-Forwarded-Proto "^https$" HTTPS=on
Header always set X-Content-Type-Options nosniff
Header always set Referrer-Policy same-origin
Header always set X-Robots-Tag "noindex, nofollow"
Header always set Content-Security-Policy "frame-ancestors 'self'; object-src 'none'; base-uri 'self'"
Header always set Strict-Transport-Security "max-age=31536000" env=HTTPS
<Directory />
  AllowOverride None
  Require all denied
</Directory>
<FilesMatch "\\.php$">
  SetHandler application/x-httpd-php
</FilesMatch>
<VirtualHost *:${listenPort}>
  DocumentRoot /var/lib/roundcube/public_html
  DirectoryIndex index.php
  <DirectoryMatch "^/(var/lib/roundcube/public_html|usr/share/roundcube/(program|plugins|skins)|var/lib/roundcube/(plugins|skins|program)|usr/share/javascript)">
    Options FollowSymLinks
    Require all granted
  </DirectoryMatch>
  # Only index.php is executed; plugins and skins serve static files.
  <FilesMatch "\\.(php|inc|sh|sql|json|lock|md|txt|dist|sample)$">
    Require all denied
  </FilesMatch>
  <Files "index.php">
    Require all granted
  </Files>
</VirtualHost>
<VirtualHost *:${activityPort}>
  DocumentRoot ${filesDirectory}/panel
  <Directory ${filesDirectory}/panel>
    Require all granted
  </Directory>
</VirtualHost>
`

const readable = [
  '/etc/roundcube',
  '/usr/share/roundcube',
  '/var/lib/roundcube',
  '/usr/share/php',
  '/usr/share/javascript',
  '/usr/share/nodejs',
  '/etc/mime.types',
  filesDirectory,
  stateDirectory,
  '/tmp'
]

export const phpIni = `disable_functions = exec,passthru,shell_exec,system,proc_open,popen,pcntl_exec,mail,putenv,dl,symlink,link
; Excludes /proc: its environment contains the session key.
open_basedir = ${readable.join(':')}
allow_url_fopen = Off
allow_url_include = Off
enable_dl = Off
default_socket_timeout = 60
file_uploads = On
upload_tmp_dir = ${stateDirectory}/temp
max_file_uploads = 20
upload_max_filesize = ${maxUploadMegabytes}M
post_max_size = ${maxUploadMegabytes + 2}M
memory_limit = 256M
session.use_strict_mode = On
session.use_only_cookies = On
session.gc_probability = 1
session.gc_divisor = 1000
expose_php = Off
display_errors = Off
log_errors = On
`
