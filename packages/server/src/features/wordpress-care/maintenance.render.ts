import { createHash } from 'node:crypto'

/**
 * WordPress' own `.maintenance`, which it runs on each request: visitors get status 503 while `$upgrading` is recent. WordPress
 * ends it ten minutes after that time, which here is always now.
 */
export const ownersPage = page(`preg_match('~^/(wp-login\\.php|wp-admin/)~', $_SERVER['REQUEST_URI'] ?? '')`)

export const checkHeader = 'x-panel-check'

/** For all but the panel, which sends `key`, until it has checked an update. */
export const taskPage = (key: string): string =>
  page(`hash('sha256', $_SERVER['HTTP_X_PANEL_CHECK'] ?? '') === '${createHash('sha256').update(key).digest('hex')}'`)

function page(isOpen: string): string {
  return `<?php\n$upgrading = PHP_SAPI === 'cli' || ${isOpen} ? 0 : time();\n`
}
