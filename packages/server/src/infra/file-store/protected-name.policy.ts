/**
 * Also as less exact file systems read the name: other case, compatibility forms, invisible characters, trailing
 * dots and spaces, NTFS stream names.
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
