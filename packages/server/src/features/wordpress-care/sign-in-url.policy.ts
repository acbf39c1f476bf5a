/** WordPress' address of its login page, if it is one of the project's; the site's code could name any other. */
export function signInUrl(claimed: string, hostnames: readonly string[], ownHostname: string, token: string): string {
  const found = URL.parse(claimed)
  const isOwn = found !== null && /^https?:$/.test(found.protocol) && hostnames.includes(found.hostname)
  const url = isOwn ? new URL(found.pathname, found.origin) : new URL(`https://${ownHostname}/wp-login.php`)
  url.searchParams.set('panel_sign_in', token)
  return url.href
}
