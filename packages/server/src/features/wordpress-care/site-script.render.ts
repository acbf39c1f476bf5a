/**
 * PHP that a site's container gets on standard input, with one request in it; see site-script.service.ts. It runs WordPress'
 * own functions as the site's user. What the site's code writes in between is not part of the answer, which is the last line.
 */
export const siteScript = (marker: string, request: object): string =>
  `${head}$panel = new Panel_Care('${marker}', json_decode(base64_decode('${Buffer.from(JSON.stringify(request)).toString('base64')}'), true));\n${load}`

/** Global code, because WordPress' files expect to be loaded outside of functions. */
const load = String.raw`
if ($panel->is('core-changes')) $panel->answer($panel->core_changes());
if (!is_file('/var/www/html/wp-load.php')) $panel->fail('NOT_INSTALLED', '');
foreach (['DISABLE_WP_CRON' => true, 'WP_DISABLE_FATAL_ERROR_HANDLER' => true, 'FS_METHOD' => 'direct'] as $name => $value)
  defined($name) || define($name, $value);
require '/var/www/html/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
$panel->run();
`

const head = String.raw`<?php
final class Panel_Care {
  private $is_answered = false;

  function __construct(private string $marker, private array $request) {
    ini_set('display_errors', '0');
    set_time_limit(0);
    ob_start(static fn() => '');
    foreach (['HTTP_HOST' => $request['hostname'], 'SERVER_NAME' => $request['hostname'], 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/',
      'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1', 'HTTPS' => 'on', 'HTTP_X_FORWARDED_PROTO' => 'https'] as $name => $value)
      $_SERVER[$name] = $value;
    register_shutdown_function(function () {
      if ($this->is_answered) return;
      $error = error_get_last();
      if ($error !== null && ($error['type'] & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR)))
        $this->write(['problem' => 'BROKEN', 'text' => strtok($error['message'], "\n") . ' (' . $error['file'] . ':' . $error['line'] . ')']);
      elseif (function_exists('is_blog_installed') && is_blog_installed()) $this->write(['problem' => 'BROKEN', 'text' => 'WordPress stopped without an answer']);
      else $this->write(['problem' => 'NOT_INSTALLED', 'text' => '']);
    });
  }

  function is(string $action): bool {
    return $this->request['action'] === $action;
  }

  function fail(string $problem, string $text): never {
    $this->write(['problem' => $problem, 'text' => $text]);
    exit;
  }

  function answer($value): never {
    $this->write(['value' => $value]);
    exit;
  }

  private function write(array $answer): void {
    $this->is_answered = true;
    while (ob_get_level() > 0) ob_end_clean();
    $text = json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
    fwrite(STDOUT, "\n" . $this->marker . $text . "\n");
  }

  function run(): never {
    $this->answer(match ($this->request['action']) {
      'state' => $this->state(),
      'update' => $this->update($this->request['kind'], $this->request['id']),
      'upgrade-database' => $this->upgrade_database(),
      'sign-in' => $this->sign_in(),
      'set-password' => $this->set_password(),
    });
  }

  private function state(): array {
    global $wp_version;
    $core = get_site_transient('update_core');
    $offers = [];
    foreach (is_object($core) ? (array) ($core->updates ?? []) : [] as $offer)
      if (in_array($offer->response ?? '', ['upgrade', 'autoupdate'], true)) $offers[] = (string) ($offer->current ?? '');
    $newest = $offers === [] ? null : array_reduce($offers, static fn($a, $b) => version_compare($a, $b, '<') ? $b : $a, '0');
    $components = [$this->component('CORE', 'core', 'WordPress', $wp_version, $newest, true)];
    $plugins = get_site_transient('update_plugins');
    foreach (get_plugins() as $file => $plugin)
      $components[] = $this->component('PLUGIN', $file, $plugin['Name'], $plugin['Version'], $this->version_in($plugins, $file), is_plugin_active($file));
    $themes = get_site_transient('update_themes');
    foreach (wp_get_themes() as $slug => $theme)
      $components[] = $this->component('THEME', (string) $slug, $theme->get('Name'), $theme->get('Version'), $this->version_in($themes, $slug),
        in_array((string) $slug, [get_stylesheet(), get_template()], true));
    $administrators = get_users(['role' => 'administrator', 'number' => 100, 'orderby' => 'ID', 'fields' => ['user_login']]);
    return ['coreVersion' => (string) $wp_version, 'phpVersion' => PHP_VERSION, 'coreOffers' => array_slice($offers, 0, 50),
      'components' => array_slice($components, 0, 500), 'administrators' => array_map(static fn($user) => $user->user_login, $administrators),
      'canSignIn' => is_file('/usr/local/lib/panel/care.php')];
  }

  private function version_in($transient, string $id): ?string {
    $offer = is_object($transient) && is_array($transient->response ?? null) ? $transient->response[$id] ?? null : null;
    $version = is_object($offer) ? $offer->new_version ?? null : $offer['new_version'] ?? null;
    return is_scalar($version) && (string) $version !== '' ? (string) $version : null;
  }

  private function component(string $kind, string $id, $name, $version, ?string $newest, bool $is_active): array {
    $short = static fn($text) => mb_substr(html_entity_decode(wp_strip_all_tags((string) $text)), 0, 200);
    return ['kind' => $kind, 'id' => $id, 'name' => $short($name), 'version' => $short($version),
      'newVersion' => $newest === null || $newest === $version ? null : $short($newest), 'isActive' => $is_active];
  }

  private function update(string $kind, string $id): array {
    require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
    // The panel shows its own maintenance page until the result was checked.
    $skin = new Automatic_Upgrader_Skin();
    if ($kind === 'PLUGIN') {
      $upgrader = new class($skin) extends Plugin_Upgrader { public function maintenance_mode($enable = false) {} };
      $result = $upgrader->bulk_upgrade([$id])[$id] ?? false;
    } elseif ($kind === 'THEME') {
      $upgrader = new class($skin) extends Theme_Upgrader { public function maintenance_mode($enable = false) {} };
      $result = $upgrader->bulk_upgrade([$id])[$id] ?? false;
    } else {
      $offers = array_filter((array) (get_site_transient('update_core')->updates ?? []), fn($offer) => ($offer->current ?? '') === $this->request['version']);
      if ($offers === []) $this->fail('REFUSED', 'WordPress no longer offers this version');
      $result = (new Core_Upgrader($skin))->upgrade(reset($offers), ['allow_relaxed_file_ownership' => true, 'do_rollback' => false]);
    }
    if (is_wp_error($skin->result)) $result = $skin->result;
    if (is_wp_error($result)) $this->fail('REFUSED', $result->get_error_message() . ' ' . (is_scalar($result->get_error_data()) ? $result->get_error_data() : ''));
    if ($result === false || $result === null) $this->fail('REFUSED', implode(' ', array_slice($skin->get_upgrade_messages(), -2)));
    return [];
  }

  private function upgrade_database(): array {
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_upgrade();
    return [];
  }

  private function sign_in(): array {
    global $wpdb;
    if (!is_file('/usr/local/lib/panel/care.php')) $this->fail('OLD_IMAGE', '');
    $login = $this->request['login'];
    $user = $login === null ? (get_users(['role' => 'administrator', 'number' => 1, 'orderby' => 'ID'])[0] ?? false) : get_user_by('login', $login);
    if (!$user) $this->fail('NO_USER', '');
    foreach ($wpdb->get_results("SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE 'panel\_sign\_in\_%'") as $row)
      if ((int) (explode(':', $row->option_value)[1] ?? 0) < time()) $wpdb->delete($wpdb->options, ['option_name' => $row->option_name]);
    $value = $user->ID . ':' . (time() + $this->request['seconds']);
    $wpdb->insert($wpdb->options, ['option_name' => 'panel_sign_in_' . $this->request['hash'], 'option_value' => $value, 'autoload' => 'no']);
    return ['login' => $user->user_login, 'url' => add_query_arg([], site_url('wp-login.php'))];
  }

  private function set_password(): array {
    $user = get_user_by('login', $this->request['login']);
    if (!$user) $this->fail('NO_USER', '');
    wp_set_password($this->request['password'], $user->ID);
    WP_Session_Tokens::get_instance($user->ID)->destroy_all();
    return ['login' => $user->user_login];
  }

  function core_changes(): array {
    $version = self::version_of('/var/www/html');
    if ($version === null) $this->fail('NOT_INSTALLED', '');
    if ($version === self::version_of('/usr/src/wordpress')) {
      $source = 'IMAGE';
      $reference = array_map(static fn($path) => md5_file("/usr/src/wordpress/$path"), self::core_files('/usr/src/wordpress'));
    } else {
      $source = 'WORDPRESS_ORG';
      $context = stream_context_create(['http' => ['timeout' => 15]]);
      $text = @file_get_contents('https://api.wordpress.org/core/checksums/1.0/?locale=en_US&version=' . rawurlencode($version), false, $context);
      $sums = json_decode((string) $text, true)['checksums'] ?? null;
      if (!is_array($sums)) $this->fail('NO_CHECKSUMS', $version);
      $reference = array_filter($sums, static fn($path) => !str_starts_with($path, 'wp-content/'), ARRAY_FILTER_USE_KEY);
    }
    $present = self::core_files('/var/www/html');
    $lists = ['changed' => [], 'missing' => [], 'extra' => array_keys(array_diff_key($present, $reference))];
    foreach ($reference as $path => $sum)
      if (!isset($present[$path])) $lists['missing'][] = $path;
      elseif (@md5_file("/var/www/html/$path") !== $sum) $lists['changed'][] = $path;
    $total = array_sum(array_map('count', $lists));
    return ['version' => $version, 'source' => $source, 'total' => $total] + array_map(static fn($list) => array_slice($list, 0, 500), $lists);
  }

  private static function version_of(string $root): ?string {
    $text = is_file("$root/wp-includes/version.php") ? (string) file_get_contents("$root/wp-includes/version.php") : '';
    return preg_match('/^\$wp_version\s*=\s*[\'"]([\w.-]+)[\'"]/m', $text, $found) ? $found[1] : null;
  }

  /** Files of the core by path, not those of wp-content. At the top only PHP files, since owners keep their own there. */
  private static function core_files(string $root): array {
    $files = [];
    foreach (scandir($root) ?: [] as $name)
      if (str_ends_with($name, '.php') && $name !== 'wp-config.php' && is_file("$root/$name")) $files[$name] = $name;
    foreach (['wp-admin', 'wp-includes'] as $directory) {
      if (!is_dir("$root/$directory")) continue;
      foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/$directory", FilesystemIterator::SKIP_DOTS)) as $file)
        if ($file->isFile() || $file->isLink()) {
          $path = substr($file->getPathname(), strlen($root) + 1);
          $files[$path] = $path;
        }
    }
    return $files;
  }
}
`
