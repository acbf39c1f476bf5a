import { createHash } from 'node:crypto'

const style = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f5f6f8 }
main { max-width: 26rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 8px }
h1 { margin: 0 0 .5rem; font-size: 1.4rem }
label { display: block; margin-top: 1rem }
input { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit }
button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit }
[role=alert] { color: #a4161a }
`

// The token stands behind the # of the address, which no browser sends to anybody and no proxy writes down.
const script = `
const form = document.querySelector('form')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const problem = document.querySelector('[role=alert]')
  problem.textContent = ''
  const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), setupToken: location.hash.slice(1) })
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch('/api/auth/register', { method: 'POST', headers, body })
    if (!answer.ok) throw new Error((await answer.json()).error)
    history.replaceState(null, '', location.pathname)
    document.querySelector('main').textContent = 'The account is made, and you are signed in. The API is described at /api/docs.'
  } catch (error) {
    problem.textContent = error.message
  }
})
`

/** Makes the first account. It loads nothing and asks the API alone. */
export const setupPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Set up the panel</title>
<style>${style}</style>
<main>
<h1>Set up the panel</h1>
<p>The first account is the administrator.</p>
<form>
<label>Name <input name="name" autocomplete="name" required></label>
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
<label>Password again <input name="confirmPassword" type="password" autocomplete="new-password" required></label>
<p role="alert"></p>
<button>Create the account</button>
</form>
</main>
<script>${script}</script>
</html>
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const setupPagePolicy = `default-src 'none';script-src ${hashOf(script)};style-src ${hashOf(style)};connect-src 'self';frame-ancestors 'none';base-uri 'none';form-action 'none'`
