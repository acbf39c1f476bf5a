import { type SettingGroup, settingGroups } from '@panel/contract/settings'
import { type Config, type VariableName, variableNames } from '../config.ts'
import { valueText } from './value-text.ts'
import { countsTexts, restartReasons, variableFacts } from './variable-facts.ts'

const titles: Readonly<Record<SettingGroup, string>> = {
  names: 'Domains and addresses',
  accounts: 'Accounts and sign-in',
  dns: 'DNS',
  certificates: 'Certificates',
  mail: 'Email',
  containers: 'Containers and limits',
  builds: 'Builds and Git',
  files: 'Files, SFTP and databases',
  monitoring: 'Monitoring',
  retention: 'Retention',
  server: 'Server and processes'
}

/** Defaults that depend on the machine or on other settings. */
const defaults: Partial<Record<VariableName, string>> = {
  DATA_DIR: './data',
  PROJECTS_DIR: 'DATA_DIR/workspaces/projects',
  SSH_KEYS_DIR: 'DATA_DIR/workspaces/keys',
  HOST: '127.0.0.1, or 0.0.0.0 with ./panel up',
  API_BASE_URL: 'https://PANEL_DOMAIN, or http://localhost:PORT',
  MAIL_FROM: 'no-reply@PANEL_DOMAIN, or of BASE_DOMAIN',
  DNS_NAMESERVERS: 'ns1 and ns2 of PANEL_DOMAIN, or of BASE_DOMAIN',
  DNS_HOSTMASTER: 'hostmaster@PANEL_DOMAIN, or of BASE_DOMAIN',
  MAIL_SPAM_FILTER: 'on with more than 2 GB of memory',
  BUILD_CPU_LIMIT: 'all cores but one',
  BUILD_CONCURRENCY: 'half the cores',
  DATABASE_MEMORY_LIMIT: '40 % of the memory, at least 512m',
  IMAGE_DISK_BUDGET: 'by the size of the disk',
  ENCRYPTION_KEY: 'written by the first ./panel up',
  SESSION_SECRET: 'written by the first ./panel up'
}

/** docs/settings.md. */
export function settingsDocument(config: Config): string {
  const sections = settingGroups.map((group) => {
    const rows = variableNames.filter((name) => variableFacts[name].group === group)
    return `## ${titles[group]}\n\n${rows.map((name) => row(name, config)).join('\n')}\n`
  })
  return `# Settings\n\n${introduction}\n\n${sections.join('\n')}`
}

const introduction = `Change settings in the dashboard under **Server → Settings**, or with \`PUT /api/system/settings\`. Changes take effect without a restart, are written to the
audit log and can be undone. Settings marked **restart** are read at startup: set them as environment variables, or as lines in \`DATA_DIR/panel.env\`.

A value from the environment has priority over a change in the dashboard, which shows it as fixed; then come changes in the dashboard, then
\`panel.env\`, then the default. An invalid value stops the start with the name of the setting. Sizes are written as \`512m\` or \`2g\`.`

function row(name: VariableName, config: Config): string {
  const { title, about, unit, counts, restart } = variableFacts[name]
  const value = restart === 'secret' ? null : valueText(config[name], unit)
  const shown = defaults[name] ?? (value === null || value === '' ? undefined : value)
  const inUnit = unit === undefined || unit === 'bytes' || shown !== value ? '' : ` ${unit}`
  return [
    `- \`${name}\`: **${title}.** ${about.replaceAll('<', '\\<')}`,
    ...(shown === undefined ? [] : [`Default: \`${shown}\`${inUnit}.`]),
    ...(counts === undefined ? [] : [`Takes effect ${countsTexts[counts]}.`]),
    ...(restart === undefined ? [] : [`**Restart**, because ${restartReasons[restart]}.`])
  ].join(' ')
}
