/**
 * Whether a name is `.env`, `.env.*` or `wp-config.php`, also as a file system or a program may read it that is less exact
 * than Linux: in another case, in compatible forms of the letters, with characters that are not seen, with dots and spaces or a stream's
 * name at the end.
 */
export function isProtectedName(name: string): boolean {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[\s.]+$/u, '')
  return plain === '.env' || plain.startsWith('.env.') || plain === 'wp-config.php'
}
