import { expect, test } from 'vitest'
import { parsePackageJson } from './package-json.ts'
import { programOf } from './run-command.ts'

const manifest = parsePackageJson(
  JSON.stringify({
    scripts: { dev: 'PORT=1 next dev', start: 'npm run dev', again: 'yarn again', deep: 'pnpm start -- --turbo' }
  })
)

test.each([
  ['node server.js', 'node server.js'],
  ['PORT=3006 react-scripts start', 'react-scripts start'],
  [`A="b c" D='e f' vite`, 'vite'],
  ['cross-env NODE_ENV=development PORT=1 nuxt', 'nuxt'],
  ['env -i A=b ng serve', 'ng serve'],
  ['npx ng serve --open', 'ng serve --open'],
  ['npx --yes @11ty/eleventy --serve', '@11ty/eleventy --serve'],
  ['yarn exec vite', 'vite'],
  ['pnpm exec -- vite --port 1', 'vite --port 1'],
  ['yarn next dev', 'next dev'],
  ['npm run dev', 'next dev'],
  ['yarn dev --turbo', 'next dev --turbo'],
  ['npm run dev -- --turbo', 'next dev --turbo'],
  ['npm start', 'next dev'],
  ['pnpm run deep', 'next dev --turbo'],
  ['npm run -s dev', 'next dev'],
  ['rm -rf dist && npm run lint; gatsby develop', 'gatsby develop'],
  ['node --max_old_space_size=4096 ./node_modules/@angular/cli/bin/ng serve', 'ng serve'],
  ['node_modules/.bin/next dev', 'next dev'],
  ['npm run missing', 'npm run missing'],
  ['npm dev', 'npm dev'],
  ['yarn again', 'again'],
  ['', '']
])('%s', (command, program) => {
  expect(programOf(command, manifest)).toBe(program)
})
