// Rules of our own for oxlint (.oxlintrc.json).
const noShell = {
  create: (context) => ({
    Property(node) {
      const isOff = node.value.type === 'Literal' && node.value.value === false
      if (node.key.type === 'Identifier' && node.key.name === 'shell' && !isOff)
        context.report({ node, message: 'No shell: argument arrays only (infra/process).' })
    }
  })
}

export default { meta: { name: 'panel' }, rules: { 'no-shell': noShell } }
