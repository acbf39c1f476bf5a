import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWpConfig, type WpConfig } from './wp-config.policy.ts'
import { phpString, renderWpConfig, saltNames, type Salts } from './wp-config.render.ts'

const nothing = { DB_NAME: undefined, DB_USER: undefined, DB_PASSWORD: undefined, DB_HOST: undefined, DB_CHARSET: undefined, tablePrefix: undefined } // oxfmt-ignore

test.each<[string, string, Partial<WpConfig>]>([
  [
    'wp-config-sample.php',
    `<?php
/**
 * The base configuration for WordPress: define( 'DB_NAME', 'in a comment' );
 */
// ** Database settings - You can get this info from your web host ** //
/** The name of the database for WordPress */
define( 'DB_NAME', 'shop' );
/** Database username */
define( 'DB_USER', 'shop_user' );
define( 'DB_PASSWORD', 'p@ss/word;)' );
define( 'DB_HOST', 'localhost:/var/run/mysqld/mysqld.sock' );
define( 'DB_CHARSET', 'utf8' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_7_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
`,
    {
      DB_NAME: 'shop',
      DB_USER: 'shop_user',
      DB_PASSWORD: 'p@ss/word;)',
      DB_HOST: 'localhost:/var/run/mysqld/mysqld.sock',
      DB_CHARSET: 'utf8',
      tablePrefix: 'wp_7_'
    }
  ],
  ['double quotes, no spaces, odd case', `<?PHP DEFINE("DB_NAME","shop");\\define("DB_USER","u",true);`, { DB_NAME: 'shop', DB_USER: 'u' }], // oxfmt-ignore
  ['a byte order mark and Windows line ends', `\ufeff<?php\r\ndefine(\r\n'DB_NAME' ,\r\n 'shop'\r\n)\r\n;`, { DB_NAME: 'shop' }], // oxfmt-ignore
  ['quotes and backslashes', `<?php define('DB_PASSWORD', 'it\\'s \\\\ \\n "x"');`, { DB_PASSWORD: `it's \\ \\n "x"` }],
  ['escapes in double quotes', `<?php define('DB_PASSWORD', "a\\"b\\$c\\\\d$1\\q");`, { DB_PASSWORD: 'a"b$c\\d$1\\q' }],
  ['comments between everything', `<?php define/*(*/(#x\n'DB_NAME'//'\n,/*'*/'shop'/**/);`, { DB_NAME: 'shop' }],
  ['a comment that holds the closing tag', `<?php // off ?> define('DB_NAME', 'no'); <?php define('DB_NAME', 'yes');`, { DB_NAME: 'yes' }], // oxfmt-ignore
  ['text outside of PHP', `define('DB_NAME', 'no'); <?php $table_prefix='a_' ?>`, { tablePrefix: 'a_' }],
  ['the first of two definitions', `<?php define('DB_NAME', 'first'); define('DB_NAME', 'second');`, { DB_NAME: 'first' }], // oxfmt-ignore
  ['the last of two prefixes', `<?php $table_prefix = 'a_'; $table_prefix = 'b_';`, { tablePrefix: 'b_' }],
  ['a definition that is commented out', `<?php /* define('DB_NAME', 'no'); */ # define('DB_USER', 'no');`, {}],
  ['a definition in a text', `<?php $x = "define('DB_NAME', 'no');"; $y = <<<EOT\ndefine('DB_NAME', 'no');\nEOT;`, {}],
  ['a text in several pieces', `<?php define('DB_NAME', 'sh' . "op");`, { DB_NAME: 'shop' }],
  ['a dynamic value', `<?php define('DB_NAME', $name); define('DB_USER', "u_$x"); define('DB_HOST', DB . 'x'); define('DB_PASSWORD', secret('x'));`, {}], // oxfmt-ignore
  ['a text and something unknown', `<?php define('DB_NAME', 'sh' . OP); $table_prefix = 'a' . $b;`, {}],
  ['a comparison', `<?php if ($table_prefix == 'x_') {}`, {}],
  ['a name that is not a text', `<?php define(DB_NAME, 'x'); define('DB_NAME');`, {}],
  ['the environment', `<?php define('DB_NAME', getenv('NAME')); define('DB_USER', getenv('UNSET') ?: 'fallback');`, { DB_NAME: 'from env', DB_USER: 'fallback' }], // oxfmt-ignore
  ['properties of Object.prototype', `<?php define('DB_NAME', getenv('constructor'));`, { DB_NAME: '' }],
  [
    'a variable repeated until it exhausts memory',
    `<?php define('DB_NAME', ${"getenv('NAME') . ".repeat(10_000)}'');`,
    {}
  ],
  ['nothing at all', '', {}],
  ['a truncated file', `<?php define('DB_NAME', 'sho`, {}]
])('%s', (_name, text, expected) => {
  expect(readWpConfig(text, { NAME: 'from env' })).toEqual({ ...nothing, ...expected })
})

test.each([
  ['quotes', '<?php ' + `'`.repeat(200_001)],
  ['unterminated quotes', `<?php '` + `\\'`.repeat(100_001)],
  ['unterminated double quotes', '<?php "' + '\\"'.repeat(100_001) + '\\'],
  ['comments', '<?php ' + '/*'.repeat(100_000)],
  ['unterminated comments', '<?php ' + '/* '.repeat(70_000)],
  ['backslashes', '<?php "' + '\\'.repeat(200_001)],
  ['definitions', '<?php ' + 'define('.repeat(50_000)],
  ['tags', '<?php ?>'.repeat(50_000)],
  ['heredocs', '<?php ' + '<<<A\n'.repeat(20_000)]
])('reads 200,000 characters of %s in linear time', (_name, text) => {
  expect(readWpConfig(text)).toEqual(nothing)
})

describe('renderWpConfig output', () => {
  const salts = Object.fromEntries(saltNames.map((name) => [name, `${name} '\\' ?> */`])) as unknown as Salts
  const text = renderWpConfig({ tablePrefix: 'x_', salts })

  test.each<[string, Record<string, string>, Partial<WpConfig>]>([
    [
      'with the variables of a linked database',
      { DB_NAME: 'n', DB_USER: 'u', DB_PASSWORD: 'p', DB_HOST: '172.30.0.1', DB_PORT: '3306' },
      { DB_NAME: 'n', DB_USER: 'u', DB_PASSWORD: 'p', DB_HOST: '172.30.0.1:3306' }
    ],
    [
      'with those of the official image',
      { WORDPRESS_DB_NAME: 'w', WORDPRESS_DB_HOST: 'db.example', DB_NAME: 'n', DB_HOST: 'h', DB_PORT: '1' },
      { DB_NAME: 'w', DB_USER: '', DB_PASSWORD: '', DB_HOST: 'db.example' }
    ]
  ])('reads %s', (_name, env, expected) => {
    expect(readWpConfig(text, env)).toEqual({ DB_CHARSET: 'utf8mb4', tablePrefix: 'x_', ...expected })
  })

  test('round-trips any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(`'`, '\\', '"', '$', '?>', '\n', '*/', '{', 'a', 'é') }), (value) => {
        expect(readWpConfig(`<?php define('DB_PASSWORD', ${phpString(value)});`).DB_PASSWORD).toBe(value)
      })
    ) // oxfmt-ignore
  })
})
