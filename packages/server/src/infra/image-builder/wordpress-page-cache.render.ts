import { pageCacheDirectory } from './image-builder.ts'
import { purgeHooks } from './wordpress-page-cache-purge.render.ts'

/**
 * Limits of a site's cache. A page is older than its last purge by at most `maxAge`, which is also well below the 12 hours that
 * nonces of WordPress are valid. The pages of each bucket are limited on their own, so that storing one lists few files.
 */
const limits = { maxAge: 3600, maxPage: 2 ** 20, buckets: 32, maxBucket: 4 * 2 ** 20, days: 7 }

/**
 * Runs before WordPress in each request. It serves a stored page, or buffers WordPress's answer and stores it. Nothing that fails
 * here may reach the site: without a cache directory, without space or with a damaged file, the request is WordPress's.
 * A purge removes the file `generation`, which works on a full disk too. Pages that are rendered meanwhile are stored for the
 * previous generation, which nothing reads.
 */
export const pageCacheScript = (root: string): string => String.raw`<?php
namespace Panel\PageCache;

const ROOT = '${root}';
const DIRECTORY = ROOT . '/${pageCacheDirectory}';
const MAX_AGE = ${limits.maxAge};
const MAX_PAGE = ${limits.maxPage};
const BUCKETS = ${limits.buckets};
const MAX_BUCKET = ${limits.maxBucket};
const DAYS = ${limits.days};

// Any other request header may change the answer. Names of 'sec-' are the browser's own.
const HEADERS = ['host', 'user-agent', 'accept', 'accept-language', 'accept-encoding', 'accept-charset', 'connection', 'keep-alive',
  'cache-control', 'pragma', 'cookie', 'referer', 'from', 'dnt', 'upgrade-insecure-requests', 'if-none-match', 'if-modified-since', 'te',
  'priority', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'x-request-id', 'traceparent', 'tracestate',
  'cdn-loop', 'cf-ray', 'cf-connecting-ip', 'cf-visitor', 'cf-ipcountry'];
const PERSONAL_COOKIES = '/^(wordpress_(?!test_cookie)|wp-postpass_|wp-settings-|comment_author_|woocommerce_(items_in_cart|cart_hash|recently_viewed)|wp_woocommerce_session_|edd_|PHPSESSID$)/';
const ANALYTICS_COOKIES = '/^(wordpress_test_cookie$|_ga|_gid|_gat|_gcl|_gac|_fbp|_fbc|_pk_|_hj|_clck|_clsk|_uet|__utm)/';
const TRACKING_PARAMETERS = '/^(utm_\w+|fbclid|gclid|dclid|gbraid|wbraid|gad_source|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|_ga|_gl)$/D';

if (is_dir(DIRECTORY)) {
  watch_changes();
  if (getenv('PANEL_PAGE_CACHE') === '1' && PHP_SAPI === 'fpm-fcgi' && ($_SERVER['SCRIPT_FILENAME'] ?? '') === ROOT . '/index.php')
    serve();
}

function serve(): void {
  $headers = array_change_key_case(getallheaders(), CASE_LOWER);
  $generation = may_be_cached($headers) ? generation() : null;
  header('X-Cache: ' . ($generation === null ? 'BYPASS' : 'MISS'));
  if ($generation === null) {
    count_request('bypasses');
    return;
  }
  $key = key_of($headers);
  $directory = DIRECTORY . "/pages/$generation/" . hexdec(substr($key, 0, 4)) % BUCKETS;
  if (send("$directory/$key", $headers)) {
    count_request('hits');
    exit;
  }
  count_request('misses');
  if (may_be_stored()) collect($directory, $key, $headers['host']);
}

function may_be_cached(array $headers): bool {
  $host = $headers['host'] ?? '';
  $uri = $_SERVER['REQUEST_URI'] ?? '';
  if (!in_array($_SERVER['REQUEST_METHOD'] ?? '', ['GET', 'HEAD'], true)) return false;
  if (!preg_match('/^[a-z0-9.-]{1,253}(:\d{1,5})?$/D', $host) || ($headers['x-forwarded-host'] ?? $host) !== $host) return false;
  if (!in_array($headers['x-forwarded-proto'] ?? 'http', ['http', 'https'], true)) return false;
  if (!preg_match('/^[A-Z0-9]{0,2}$/D', $headers['cf-ipcountry'] ?? '')) return false;
  if (!str_starts_with($uri, '/') || strlen($uri) > 4096 || is_file(ROOT . '/.maintenance')) return false;
  // FPM has an empty Authorization header in each request.
  foreach ($headers as $name => $value) if ($value !== '' && !in_array($name, HEADERS, true) && !str_starts_with($name, 'sec-')) return false;
  $accept = $headers['accept'] ?? '*/*';
  if (stripos($accept, 'json') !== false || (stripos($accept, 'text/html') === false && strpos($accept, '*/*') === false)) return false;
  foreach ($_COOKIE as $name => $value) if (preg_match(PERSONAL_COOKIES, (string) $name)) return false;
  foreach (explode('&', explode('?', $uri, 2)[1] ?? '') as $pair)
    if ($pair !== '' && !preg_match(TRACKING_PARAMETERS, explode('=', $pair, 2)[0])) return false;
  return true;
}

/** A page may repeat parameters or depend on a cookie of a plugin, so only requests without any fill the cache. */
function may_be_stored(): bool {
  if ($_SERVER['REQUEST_METHOD'] !== 'GET' || strpos($_SERVER['REQUEST_URI'], '?') !== false) return false;
  foreach ($_COOKIE as $name => $value) if (!preg_match(ANALYTICS_COOKIES, (string) $name)) return false;
  return true;
}

function key_of(array $headers): string {
  $isSecure = in_array(strtolower($_SERVER['HTTPS'] ?? ''), ['on', '1'], true);
  $path = explode('?', $_SERVER['REQUEST_URI'], 2)[0];
  return hash('sha256', implode("\n", [$isSecure ? 'https' : 'http', $headers['host'], device_of($headers), $headers['cf-ipcountry'] ?? '', $path]));
}

/** Themes can ask wp_is_mobile(), which reads these. */
function device_of(array $headers): string {
  $isMobile = isset($headers['sec-ch-ua-mobile'])
    ? $headers['sec-ch-ua-mobile'] === '?1'
    : preg_match('~Mobile|Android|Silk/|Kindle|BlackBerry|Opera Mini|Opera Mobi~', $headers['user-agent'] ?? '') === 1;
  return $isMobile ? 'mobile' : 'desktop';
}

/** A record is a line of JSON and the page. */
function send(string $file, array $headers): bool {
  $record = is_file($file) ? @file_get_contents($file) : false;
  $end = $record === false ? false : strpos($record, "\n");
  $page = $end === false ? null : json_decode(substr($record, 0, $end), true);
  if (!is_array($page) || $page['length'] !== strlen($record) - $end - 1 || time() >= $page['expires']) return false;
  foreach ($page['headers'] as $line) header($line, false);
  header('X-Cache: HIT');
  header('Age: ' . max(0, time() - $page['stored']));
  if (is_known($headers, $page)) http_response_code(304);
  else echo substr($record, $end + 1);
  return true;
}

/** RFC 9110, 13.2.2. Apache adds -gzip to the tag of a compressed answer. */
function is_known(array $headers, array $page): bool {
  $plain = static fn ($tag) => preg_replace('~^W/|-gzip(?="$)~', '', trim($tag));
  if (isset($headers['if-none-match'])) {
    $tags = array_map($plain, explode(',', $headers['if-none-match']));
    return in_array('*', $tags, true) || in_array($plain($page['tag']), $tags, true);
  }
  $since = strtotime($headers['if-modified-since'] ?? '');
  return $since !== false && $page['modified'] !== null && $page['modified'] <= $since;
}

function collect(string $directory, string $key, string $host): void {
  $isPublic = false;
  // As late as possible: what ends the request before is not a page of the site.
  hook('template_redirect', static function () use (&$isPublic, $host) {
    $home = parse_url(\home_url('/'));
    $isPublic = strtolower($home['host'] ?? '') . (isset($home['port']) ? ':' . $home['port'] : '') === $host
      && !\is_user_logged_in() && !\is_404() && !\is_search() && !\is_feed() && !\is_preview() && !\is_customize_preview();
  }, 0, PHP_INT_MAX);
  // A larger page, or one that is sent in parts, is passed on as it is.
  ob_start(static function (string $body, int $phase) use (&$isPublic, $directory, $key) {
    $isWhole = $phase === (PHP_OUTPUT_HANDLER_START | PHP_OUTPUT_HANDLER_FINAL);
    try {
      if (!$isWhole || !$isPublic || !store($directory, $key, $body)) @header('X-Cache: BYPASS');
    } catch (\Throwable $error) {
      // Error handlers of plugins may throw for what fails here.
    }
    return $body;
  }, MAX_PAGE);
}

function store(string $directory, string $key, string $body): bool {
  $isDeclined = defined('DONOTCACHEPAGE') && \DONOTCACHEPAGE;
  if ($isDeclined || http_response_code() !== 200 || connection_status() !== CONNECTION_NORMAL || stripos($body, '</html>') === false) return false;
  $page = describe_answer($body);
  $head = $page === null ? false : json_encode($page);
  if ($head === false) return false;
  if (!is_dir($directory)) @mkdir($directory, 0700, true);
  make_room($directory, strlen($head) + strlen($body));
  $new = "$directory/$key." . bin2hex(random_bytes(6));
  $isStored = @file_put_contents($new, "$head\n$body") === strlen($head) + 1 + strlen($body) && @rename($new, "$directory/$key");
  if (!$isStored) @unlink($new);
  header('ETag: ' . $page['tag']);
  return $isStored;
}

/** Null if the answer must not be stored. */
function describe_answer(string $body): ?array {
  $kept = [];
  $page = ['stored' => time(), 'length' => strlen($body), 'tag' => '"' . substr(hash('sha256', $body), 0, 32) . '"', 'modified' => null];
  $age = MAX_AGE;
  $isHtml = false;
  foreach (headers_list() as $line) {
    [$name, $value] = array_map('trim', explode(':', $line, 2));
    $name = strtolower($name);
    if (in_array($name, ['x-cache', 'x-powered-by', 'date', 'age', 'content-length', 'connection', 'transfer-encoding'], true)) continue;
    if (in_array($name, ['set-cookie', 'location', 'refresh', 'content-encoding', 'content-disposition', 'content-range', 'www-authenticate'], true)) return null;
    if ($name === 'content-type') $isHtml = stripos($value, 'text/html') === 0;
    if ($name === 'cache-control' && preg_match('/private|no-store|no-cache/i', $value)) return null;
    if ($name === 'cache-control' && preg_match('/(?:s-maxage|max-age)\s*=\s*"?(\d+)/i', $value, $found)) $age = min($age, (int) $found[1]);
    if ($name === 'pragma' && stripos($value, 'no-cache') !== false) return null;
    if ($name === 'expires') $age = min($age, (int) strtotime($value) - time());
    if ($name === 'vary' && strcasecmp($value, 'Accept-Encoding') !== 0) return null;
    // A nonce of a policy is for one answer.
    if (str_starts_with($name, 'content-security-policy') && strpos($value, "'nonce-") !== false) return null;
    if ($name === 'etag') $page['tag'] = $value;
    else $kept[] = $line;
    if ($name === 'last-modified') $page['modified'] = strtotime($value) ?: null;
  }
  if (!$isHtml || $age <= 0) return null;
  return $page + ['expires' => $page['stored'] + $age, 'headers' => [...$kept, 'ETag: ' . $page['tag']]];
}

function make_room(string $directory, int $needed): void {
  $files = [];
  foreach (@scandir($directory) ?: [] as $name) {
    $file = "$directory/$name";
    $found = $name[0] === '.' ? false : @stat($file);
    if ($found === false) continue;
    if ($found['mtime'] < time() - MAX_AGE) @unlink($file);
    else $files[$file] = $found;
  }
  $used = array_sum(array_column($files, 'size')) + $needed;
  uasort($files, static fn ($one, $other) => $one['mtime'] <=> $other['mtime']);
  foreach ($files as $file => $found) {
    if ($used <= MAX_BUCKET) return;
    @unlink($file);
    $used -= $found['size'];
  }
}

/** Null if there is no space for one: what cannot be purged is not served. */
function generation(): ?string {
  $current = DIRECTORY . '/generation';
  $value = is_file($current) ? (string) @file_get_contents($current) : '';
  if (preg_match('/^[0-9a-f]{16}$/D', $value)) return $value;
  $value = bin2hex(random_bytes(8));
  if (@file_put_contents("$current.$value", $value) !== 16 || !@rename("$current.$value", $current)) {
    @unlink("$current.$value");
    return null;
  }
  foreach (glob(DIRECTORY . '/pages/*') ?: [] as $previous) {
    if (basename($previous) === $value) continue;
    foreach (glob("$previous/*/*") ?: [] as $file) @unlink($file);
    foreach (glob("$previous/*") ?: [] as $bucket) @rmdir($bucket);
    @rmdir($previous);
  }
  return $value;
}

/** One byte for each request, so that the size is the number: appending needs no lock. */
function count_request(string $kind): void {
  $day = DIRECTORY . '/requests-' . gmdate('Y-m-d');
  if ($kind === 'misses' && !is_file("$day.misses")) {
    $first = 'requests-' . gmdate('Y-m-d', time() - (DAYS - 1) * 86400);
    foreach (glob(DIRECTORY . '/requests-*') ?: [] as $file) if (basename($file) < $first) @unlink($file);
  }
  @file_put_contents("$day.$kind", '.', FILE_APPEND);
}
${purgeHooks}`
