import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { restoreAccount } from './commands/account-restores.ts'
import { backupSettings, createBackup, listBackups, listDrills, restoreBackup } from './commands/backups.ts'
import { create } from './commands/create.ts'
import {
  createDatabase,
  databases,
  databaseShell,
  databaseUrl,
  dumpDatabase,
  listDatabases,
  loadDatabase
} from './commands/databases.ts'
import { deploy } from './commands/deploy.ts'
import { addRecord, listRecords, removeRecord } from './commands/dns.ts'
import { addDomain, listDomains, verifyDomain } from './commands/domains.ts'
import { exportEnv, importEnv, listEnv, setEnv, unsetEnv } from './commands/env.ts'
import { editEnv, pullEnv, pushEnv } from './commands/env-files.ts'
import { attachGroup, createGroup, deleteGroup, detachGroup, listGroups } from './commands/env-groups.ts'
import { listRules, saveRules, testRules } from './commands/domain-rules.ts'
import { explain } from './commands/explain.ts'
import { hook, listDeliveries, replayDelivery, showDelivery } from './commands/hooks.ts'
import { getFile, listFiles, putFile } from './commands/files.ts'
import { link } from './commands/link.ts'
import { login, logout } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { joinMachine } from './commands/machine-join.ts'
import { drainMachine, moveSite, upgradeMachines } from './commands/machine-moves.ts'
import { addMachine, listMachines, machineKey, removeMachine, setMachine, showMachine } from './commands/machines.ts'
import { createMailbox, listMailboxes } from './commands/mail.ts'
import { open } from './commands/open.ts'
import { purgeCache, showCache } from './commands/page-cache.ts'
import { listProcesses, scale } from './commands/processes.ts'
import { projects } from './commands/projects.ts'
import { addRegistry, listRegistries, removeRegistry } from './commands/registries.ts'
import { releases, rollback } from './commands/releases.ts'
import { addJob, listJobs, listRuns, removeJob, runCommand, runJob } from './commands/runs.ts'
import { settings } from './commands/settings.ts'
import { restart, sleep, status } from './commands/status.ts'
import { addPort, listPorts, removePort } from './commands/tcp-ports.ts'
import { createVolume, deleteVolume, listVolumes, resizeVolume } from './commands/volumes.ts'
import { whoami } from './commands/whoami.ts'
import {
  copyWordpress,
  undoWordpress,
  makeStaging,
  replaceText,
  updateWordpress,
  verifyWordpress,
  wordpressDebugLog,
  wordpressLogin,
  wordpressPassword,
  wordpressSet,
  wordpressStatus
} from './commands/wordpress.ts'

/** In the order of `panel --help`. A new command is a file and a line here. */
export const commands: readonly Command[] = [
  ...[login, logout, whoami],
  ...[projects, create, link, status, open, settings],
  ...[deploy, releases, rollback, restart, sleep, logs, explain],
  ...[hook, listDeliveries, showDelivery, replayDelivery],
  ...[listProcesses, scale],
  ...[runCommand, listRuns],
  ...[listJobs, addJob, runJob, removeJob],
  ...[listEnv, setEnv, unsetEnv, pullEnv, pushEnv, editEnv, importEnv, exportEnv],
  ...[listGroups, createGroup, deleteGroup, attachGroup, detachGroup],
  ...[listDomains, addDomain, verifyDomain],
  ...[listRules, saveRules, testRules],
  ...[listRecords, addRecord, removeRecord],
  ...[databases, listDatabases, createDatabase, databaseUrl, databaseShell, dumpDatabase, loadDatabase],
  ...[listMailboxes, createMailbox],
  ...[listFiles, getFile, putFile],
  ...[wordpressStatus, updateWordpress, wordpressSet, wordpressLogin, wordpressPassword],
  ...[replaceText, wordpressDebugLog, verifyWordpress, makeStaging, copyWordpress, undoWordpress],
  ...[listRegistries, addRegistry, removeRegistry],
  ...[listPorts, addPort, removePort],
  ...[listVolumes, createVolume, resizeVolume, deleteVolume],
  ...[showCache, purgeCache],
  ...[
    listMachines,
    showMachine,
    joinMachine,
    machineKey,
    addMachine,
    setMachine,
    drainMachine,
    upgradeMachines,
    moveSite,
    removeMachine
  ],
  ...[listBackups, createBackup, restoreBackup, listDrills, backupSettings, restoreAccount],
  api
]
