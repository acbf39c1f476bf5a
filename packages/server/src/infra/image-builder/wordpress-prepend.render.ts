import { wordpressDebugMarker } from './image-builder.ts'

/** PHP that runs before every script of a site (auto_prepend_file). The panel runs due events, so visitors must not wait for them. */
export const prependFile = (root: string): string => String.raw`<?php
if (is_file('${root}/wp-config.php') && !preg_match('/[\'"]DISABLE_WP_CRON[\'"]/', (string) file_get_contents('${root}/wp-config.php')))
  define('DISABLE_WP_CRON', true);
require '/usr/local/lib/panel/care.php';
require '/usr/local/lib/panel/page-cache.php';
`

/**
 * Debug log and sign-in, by filters that are set before WordPress loads, which it supports for the files before it. A sign-in
 * is a row of the site's options, named by the SHA-256 of its token, with user id and expiry. Of two requests with one token
 * only one deletes the row.
 */
export const careFile = (root: string): string => String.raw`<?php
if (is_file('${root}/${wordpressDebugMarker}')) {
  ini_set('log_errors', '1');
  ini_set('error_log', '${root}/wp-content/debug.log');
  // WordPress asks after wp-load.php has hidden notices.
  $GLOBALS['wp_filter']['enable_wp_debug_mode_checks'][10]['panel'] = ['function' => 'panel_report_all', 'accepted_args' => 0];
}
if (is_string($_GET['panel_sign_in'] ?? null))
  $GLOBALS['wp_filter']['init'][0]['panel'] = ['function' => 'panel_sign_in', 'accepted_args' => 0];

function panel_report_all() {
  error_reporting(E_ALL);
  return false;
}

function panel_sign_in() {
  global $wpdb;
  nocache_headers();
  header('Referrer-Policy: no-referrer');
  $name = 'panel_sign_in_' . hash('sha256', $_GET['panel_sign_in']);
  $value = $wpdb->get_var($wpdb->prepare("SELECT option_value FROM $wpdb->options WHERE option_name = %s", $name));
  $is_taken = $value !== null && $wpdb->delete($wpdb->options, ['option_name' => $name]) === 1;
  [$user, $expires] = array_map('intval', explode(':', (string) $value)) + [0, 0];
  if ($is_taken && time() <= $expires && get_userdata($user)) {
    wp_set_auth_cookie($user);
    wp_safe_redirect(admin_url());
  } else {
    wp_safe_redirect(wp_login_url());
  }
  exit;
}
`
