export const saltNames = [
  'AUTH_KEY',
  'SECURE_AUTH_KEY',
  'LOGGED_IN_KEY',
  'NONCE_KEY',
  'AUTH_SALT',
  'SECURE_AUTH_SALT',
  'LOGGED_IN_SALT',
  'NONCE_SALT'
] as const

export type Salts = Readonly<Record<(typeof saltNames)[number], string>>

interface WpConfigFacts {
  tablePrefix: string
  salts: Salts
}

/** Database credentials stay in the environment, so that a password rotation needs no change here. */
export const renderWpConfig = ({ tablePrefix, salts }: WpConfigFacts): string => `<?php
// The database is the one that the project's variables name.
define('DB_NAME', getenv('WORDPRESS_DB_NAME') ?: getenv('DB_NAME'));
define('DB_USER', getenv('WORDPRESS_DB_USER') ?: getenv('DB_USER'));
define('DB_PASSWORD', getenv('WORDPRESS_DB_PASSWORD') ?: getenv('DB_PASSWORD'));
define('DB_HOST', getenv('WORDPRESS_DB_HOST') ?: getenv('DB_HOST') . ':' . getenv('DB_PORT'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
$table_prefix = ${phpString(tablePrefix)};

${saltNames.map((name) => `define('${name}', ${phpString(salts[name])});`).join('\n')}

if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') $_SERVER['HTTPS'] = 'on';
define('FS_METHOD', 'direct');
define('WP_MAX_MEMORY_LIMIT', ini_get('memory_limit'));
define('WP_DEBUG', (bool) getenv('WORDPRESS_DEBUG'));
define('WP_DEBUG_DISPLAY', false);
if (getenv('WORDPRESS_DEFAULT_THEME')) define('WP_DEFAULT_THEME', getenv('WORDPRESS_DEFAULT_THEME'));

if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`

export const phpString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
