import { expect, test } from 'vitest'
import { readGitAddress } from './git-address.ts'

const github = 'https://github.com/o/r'
const gitlab = 'https://gitlab.com/group/sub/r'
const gitea = 'https://git.example.com/o/r'
const bitbucket = 'https://bitbucket.org/o/r'

test.each<[text: string, gitUrl: string, branch?: string, folder?: string]>([
  [github, github],
  [`${github}/`, `${github}/`],
  [`${github}.git`, `${github}.git`],
  ['git@github.com:o/r.git', 'git@github.com:o/r.git'],
  [`${github}/tree/main`, github, 'main'],
  [`${github}/tree/main/`, github, 'main'],
  [`${github}/tree/main/apps/web`, github, 'main', 'apps/web'],
  [`${github}/tree/main/apps/web?tab=readme-ov-file#install`, github, 'main', 'apps/web'],
  [`${github}/blob/main/apps/api/Dockerfile`, github, 'main', 'apps/api'],
  [`${github}/blob/main/Dockerfile`, github, 'main'],
  [`${github}/tree/release/2.0/apps/web`, github, 'release/2.0', 'apps/web'],
  [`${github}/tree/feature/login`, github, 'feature/login'],
  [`${github}/tree/unknown/apps/web`, github, 'unknown', 'apps/web'],
  [`${github}/tree/fix%231/web`, github, 'fix#1', 'web'],
  [`${github}/tree/main/my%20app`, github, 'main'],
  [`${github}/tree/main/%2e%2e/x`, github, 'main'],
  [`${github}/tree/%zz/x`, github, undefined, 'x'],
  [`${github}/issues`, `${github}/issues`],
  [`${gitlab}/-/tree/main/apps/web?ref_type=heads`, gitlab, 'main', 'apps/web'],
  [`${gitlab}/-/blob/main/web/package.json`, gitlab, 'main', 'web'],
  ['https://gitlab.com/o/r/tree/main', 'https://gitlab.com/o/r/tree/main'],
  [`${gitea}/src/branch/main/apps/web`, gitea, 'main', 'apps/web'],
  [`${gitea}/src/branch/release/2.0/web`, gitea, 'release/2.0', 'web'],
  [`${gitea}/src/commit/0123/web`, `${gitea}/src/commit/0123/web`],
  [`${bitbucket}/src/main/apps/web/`, bitbucket, 'main', 'apps/web'],
  [`${bitbucket}/src/main`, bitbucket, 'main'],
  ['http://git.example.com:3000/o/r/src/branch/main/web', 'http://git.example.com:3000/o/r', 'main', 'web'],
  ['', '']
])('%s', (text, gitUrl, branch, folder) => {
  const branches = ['main', 'release', 'release/2.0', 'feature/login', 'fix#1']
  expect(readGitAddress(text, branches)).toEqual({ gitUrl, branch, folder })
})

test('without a list of branches, the first word is the branch', () => {
  expect(readGitAddress(`${github}/tree/release/2.0/web`)).toMatchObject({ branch: 'release', folder: '2.0/web' })
})
