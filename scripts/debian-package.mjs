// Makes the Debian package of a staged release (ADR 39). It needs dpkg-deb and, for Node.js, npm. The same commit gives the same bytes.
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs' // oxfmt-ignore
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'

const architectures = { x64: 'amd64', arm64: 'arm64' }

/** What it needs until it can install packages itself. */
const depends = [
  'libc6 (>= 2.36)',
  'libstdc++6',
  'passwd',
  'ca-certificates',
  'init-system-helpers (>= 1.54)',
  'procps'
]
/** What `panel up` installs at the first start where it is missing (cli/debian-packages.ts). */
const recommends = ['docker.io', 'apparmor', 'haproxy', 'knot', 'mariadb-server', 'postgresql', 'openssh-server', 'git', 'nftables', 'restic', 'wireguard-tools'] // oxfmt-ignore

/**
 * @param options.stage folder of the release, which stays as it is
 * @param options.work empty folder for the package's tree
 * @param options.time seconds since 1970 of every file
 * @param options.isQuick compresses little, for tests
 * @param options.run starts a program and ends this one if it fails: (program, args, cwd)
 * @returns the path of the package in `target`
 */
export function packDebian({ root, stage, work, target, version, time, isQuick, run }) {
  const sources = join(root, 'deploy/debian')
  const architecture = architectures[process.arch]
  const tree = join(work, 'hosting-panel')
  const home = join(tree, 'opt/hosting-panel/versions', version)
  mkdirSync(join(tree, 'opt/hosting-panel/versions'), { recursive: true })
  cpSync(stage, home, { recursive: true, verbatimSymlinks: true })
  copyNode(sources, join(work, 'node'), join(home, 'node'), run)

  place(sources, tree, 'panel', 'usr/sbin/panel', 0o755)
  place(sources, tree, 'panel.env', 'etc/hosting-panel/panel.env', 0o640)
  place(sources, tree, 'hosting-panel.service', 'usr/lib/systemd/system/hosting-panel.service', 0o644)
  place(sources, tree, 'lintian-overrides', 'usr/share/lintian/overrides/hosting-panel', 0o644)
  const documents = join(tree, 'usr/share/doc/hosting-panel')
  mkdirSync(documents, { recursive: true })
  writeFileSync(join(documents, 'copyright'), copyright(root))
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(changelog(version, time), { level: 9 }))

  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  for (const name of ['postinst', 'prerm', 'postrm']) {
    const text = readFileSync(join(sources, name), 'utf8').replaceAll('@VERSION@', version)
    writeFileSync(join(control, name), text)
    chmodSync(join(control, name), 0o755)
  }
  writeFileSync(join(control, 'conffiles'), '/etc/hosting-panel/panel.env\n')
  writeFileSync(join(control, 'md5sums'), checksums(tree))
  writeFileSync(join(control, 'control'), controlFile(tree, { version, architecture }))
  evenDirectories(tree)
  const path = join(target, `hosting-panel_${version}_${architecture}.deb`)
  run(
    'dpkg-deb',
    ['--root-owner-group', ...(isQuick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6']), '--build', tree, path],
    root,
    {
      SOURCE_DATE_EPOCH: String(time)
    }
  )
  rmSync(tree, { recursive: true })
  return path
}

/** Node.js, and npm for base images where no registry answers. npm refuses both if their checksums are not those of the lock file. */
function copyNode(sources, folder, target, run) {
  cpSync(join(sources, 'node'), folder, { recursive: true })
  run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], folder)
  const node = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
  if (!existsSync(node)) throw new Error(`npm has no Node.js for ${process.arch}`)
  mkdirSync(join(target, 'bin'), { recursive: true })
  cpSync(node, join(target, 'bin/node'))
  chmodSync(join(target, 'bin/node'), 0o755)
  for (const part of ['docs', 'man']) rmSync(join(folder, 'node_modules/npm', part), { recursive: true, force: true })
  cpSync(join(folder, 'node_modules/npm'), join(target, 'lib/node_modules/npm'), { recursive: true })
}

function place(sources, tree, from, to, mode) {
  const path = join(tree, to)
  mkdirSync(join(path, '..'), { recursive: true })
  cpSync(join(sources, from), path)
  chmodSync(path, mode)
}

function controlFile(tree, { version, architecture }) {
  const bytes = filesIn(tree).reduce((sum, path) => sum + lstatSync(join(tree, path)).size, 0)
  return `Package: hosting-panel
Version: ${version}
Architecture: ${architecture}
Maintainer: Hosting panel <hosting-panel@localhost.invalid>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${depends.join(', ')}
Recommends: ${recommends.join(', ')}
Section: admin
Priority: optional
Description: self-hosted hosting control panel
 It builds sites from Git repositories, runs them in containers and manages
 their domains, DNS, certificates, databases, mail, files and backups.
 .
 The service installs further Debian packages at its first start, such as the
 container engine and the mail servers.
`
}

function copyright(root) {
  const license = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const indented = license.split('\n').map((line) => (line.trim() === '' ? ' .' : ` ${line}`))
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: the authors of the hosting panel
License: MIT
Comment: The npm packages and Node.js below /opt/hosting-panel have licenses of
 their own, which sbom.cdx.json lists.

License: MIT
${indented.join('\n')}
`
}

const changelog = (version, time) => `hosting-panel (${version}) stable; urgency=medium

  * See CHANGELOG.md of the release.

 -- Hosting panel <hosting-panel@localhost.invalid>  ${new Date(time * 1000).toUTCString().replace('GMT', '+0000')}
`

/** Of every file but those of dpkg itself and conffiles, which it keeps checksums of elsewhere. */
function checksums(tree) {
  return filesIn(tree)
    .filter((path) => !/^(DEBIAN|etc)\//.test(path) && !lstatSync(join(tree, path)).isSymbolicLink())
    .sort()
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(tree, path)))
          .digest('hex')}  ${path}\n`
    )
    .join('')
}

function filesIn(directory, path = '') {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(directory, join(path, entry.name)) : [join(path, entry.name)]
  )
}

/** Whatever the umask was. */
function evenDirectories(directory) {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) evenDirectories(join(directory, entry.name))
}
