/**
 * Functions of the page cache that purge it when something changes that visitors see. WordPress takes over the hooks of the
 * global $wp_filter when it loads, so the site needs no plugin. What a visitor's request changes on the side, such as a counter
 * of views in an option, does not purge.
 */
export const purgeHooks = String.raw`
function hook(string $name, callable $function, int $arguments = 0, int $priority = 10): void {
  $GLOBALS['wp_filter'][$name][$priority][] = ['function' => $function, 'accepted_args' => $arguments];
}

function watch_changes(): void {
  $changes = ['edited_term', 'created_term', 'delete_term', 'edit_attachment', 'delete_attachment', 'edit_comment', 'wp_update_nav_menu',
    'wp_delete_nav_menu', 'switch_theme', 'customize_save_after', 'activated_plugin', 'deactivated_plugin', 'upgrader_process_complete',
    '_core_updated_successfully', 'woocommerce_product_set_stock', 'woocommerce_variation_set_stock',
    'woocommerce_product_set_stock_status', 'woocommerce_variation_set_stock_status'];
  foreach ($changes as $name) hook($name, static function () { purge(); });
  hook('transition_post_status', static function ($new, $old) {
    if (in_array('publish', [$new, $old], true)) purge();
  }, 2);
  hook('delete_post', static function ($id, $post = null) {
    if ($post === null || $post->post_status === 'publish') purge();
  }, 2);
  hook('transition_comment_status', static function ($new, $old) {
    if (in_array('approved', [$new, $old], true)) purge();
  }, 2);
  hook('comment_post', static function ($id, $approved) {
    if ((string) $approved === '1') purge();
  }, 2);
  hook('profile_update', static function ($id) {
    if (\user_can($id, 'edit_posts')) purge();
  }, 1);
  $meta = static function ($id, $post, $key) {
    if (!in_array($key, ['_edit_lock', '_edit_last'], true) && is_by_editor()) purge();
  };
  foreach (['added_post_meta', 'updated_post_meta', 'deleted_post_meta'] as $name) hook($name, $meta, 3);
  $option = static function ($name) {
    if (!preg_match('/^_(site_)?transient_|^cron$/', $name) && is_by_editor()) purge();
  };
  foreach (['added_option', 'updated_option', 'deleted_option'] as $name) hook($name, $option, 1);
}

/** The user is known after init. */
function is_by_editor(): bool {
  if (PHP_SAPI === 'cli') return true;
  return ($_SERVER['REQUEST_METHOD'] ?? 'GET') !== 'GET' && \did_action('init') > 0 && \current_user_can('edit_posts');
}

/** At once, and again at the end: the request may write more. */
function purge(): void {
  static $isRepeated = false;
  $remove = static function () { @unlink(DIRECTORY . '/generation'); };
  $remove();
  if (!$isRepeated) register_shutdown_function($remove);
  $isRepeated = true;
}
`
