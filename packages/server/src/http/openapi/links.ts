/** OpenAPI links: operation → status → the next operation and its parameters. */
export const operationLinks: Readonly<Record<string, Readonly<Record<string, Record<string, object>>>>> = {
  login: {
    202: {
      answer: {
        operationId: 'answerLoginChallenge',
        requestBody: { challengeToken: '$response.body#/challengeToken', code: '000000' },
        description: 'Signs in with an authenticator code or a recovery code.'
      }
    }
  },
  buildProject: { 202: { deployment: deploymentLink('$request.path.id', 'id') } },
  rollBackDeployment: { 202: { deployment: deploymentLink('$request.path.id', 'id') } },
  receivePush: { 202: { deployment: deploymentLink('$request.query.projectId', 'deploymentId') } },
  callDeployHook: { 202: { deployment: deploymentLink('$request.path.projectId', 'deploymentId') } },
  receiveProjectPush: { 202: { deployment: deploymentLink('$request.path.projectId', 'deploymentId') } },
  createProject: { 201: { project: byId('getProject') } },
  createDomain: { 201: { domain: byId('getDomain'), verify: byId('verifyDomain') } },
  createDatabase: { 201: { database: byId('getDatabase') } },
  createMailbox: { 201: { mailbox: byId('getMailbox') } },
  importMailbox: { 202: { import: mailboxImportLink() } },
  createMailAlias: { 201: { alias: byId('getMailAlias') } }
}

function byId(operationId: string) {
  return { operationId, parameters: { id: '$response.body#/id' } }
}

/** Link to poll a deployment, whose id is `member` of the response. */
function deploymentLink(project: string, member: string) {
  return {
    operationId: 'getDeployment',
    parameters: { id: project, deploymentId: `$response.body#/${member}` },
    description: 'Its progress. It has ended with the status RUNNING, FAILED or CANCELLED.'
  }
}

/** Link to poll an import. */
function mailboxImportLink() {
  return {
    operationId: 'getMailboxImport',
    parameters: { id: '$request.path.id', importId: '$response.body#/id' },
    description: 'Its progress. It has ended with the status COMPLETED, FAILED or CANCELLED.'
  }
}
