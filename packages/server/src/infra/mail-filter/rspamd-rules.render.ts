/** The whole rspamd.local.lua. It has no values of its own: those are in `panel` of rspamd.conf. */
export const renderRspamdRules =
  (): string => String.raw`-- Written by the panel. What is done with a message, by the settings of the domains that it is for.
local ucl = require "ucl"
local logger = require "rspamd_logger"
local lua_redis = require "lua_redis"

local options = rspamd_config:get_all_opt('panel')
local defaults = { enabled = true, junk = 6, refuse = 15, greylisting = true }
-- Of the domains of one message, whose settings are read. Postfix takes no more recipients.
local max_domains = 1000
-- A result of ours counts before any other.
local above_all = 10

-- So much spam of one log-in within this time, and all of its mail is held: somebody else has its password.
local flood_messages, flood_seconds = 5, 3600
local store = lua_redis.parse_redis_server('panel')

-- The test of filters (GTUBE) in a subject. In a body Rspamd itself finds it, and looks at nothing else then: neither lists nor points of the
-- domain count, and nothing is noted.
config['regexp']['PANEL_TEST'] = {
  re = [[Subject=/XJS\*C4JDBQADN1\.NSBN3\*2IDNEN\*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL\*C\.34X/H]],
  score = 500,
  description = 'The test of spam filters'
}

-- A file for each domain, read for each message: a change counts at once, and how many domains there are does not matter.
local function read_settings(domain)
  -- Strangers write it.
  if #domain > 253 or not domain:match('^[a-z0-9][a-z0-9.-]*$') or domain:find('..', 1, true) then return defaults end
  local file = io.open(options.domains .. '/' .. domain, 'r')
  if not file then return defaults end
  local text = file:read('*a')
  file:close()
  local parser = ucl.parser()
  local ok, problem = parser:parse_string(text or '')
  if not ok then
    logger.errx(rspamd_config, 'settings of %s cannot be read: %s', domain, problem)
    return defaults
  end
  return parser:get_object()
end

-- Whether an address, its domain or one above that is in the set.
local function has(set, address)
  if not set or not address then return false end
  address = address:lower()
  if set[address] then return true end
  local domain = address:match('@([^@]*)$')
  while domain and domain ~= '' do
    if set[domain] then return true end
    domain = domain:match('%.(.*)$')
  end
  return false
end

local function senders_of(task)
  local senders = {}
  for _, kind in ipairs({ 'smtp', 'mime' }) do
    for _, from in ipairs(task:get_from(kind) or {}) do table.insert(senders, from.addr) end
  end
  return senders
end

-- With two in its header DMARC says nothing of either: such a message is from nobody who is allowed.
local function is_from_one(task) return #(task:get_from('mime') or {}) <= 1 end

local function has_any(set, senders)
  for _, sender in ipairs(senders) do
    if has(set, sender) then return true end
  end
  return false
end

-- One message gets one answer. It is refused where all that it is for refuse it, and goes to Junk where one of them would put it there.
local function judge(task)
  local senders = senders_of(task)
  local seen, count = {}, 0
  local result = { open = 0, denied = 0, filtered = 0, junk = nil, refuse = 0, greylisting = true, allowing = 0 }
  for _, rcpt in ipairs(task:get_recipients('smtp') or {}) do
    local domain = (rcpt.domain or ''):lower()
    if not seen[domain] and count < max_domains then
      seen[domain] = true
      count = count + 1
      local settings = read_settings(domain)
      if settings.enabled == false then
        result.open = result.open + 1
      elseif has_any(settings.deny, senders) then
        result.denied = result.denied + 1
      else
        result.filtered = result.filtered + 1
        if is_from_one(task) and has_any(settings.allow, senders) then result.allowing = result.allowing + 1 end
        result.junk = math.min(result.junk or settings.junk, settings.junk)
        result.refuse = math.max(result.refuse, settings.refuse)
        if settings.greylisting == false then result.greylisting = false end
      end
    end
  end
  return result
end

-- How much of a log-in has been held of late. Without the store nobody knows, and each message is judged by itself.
local function count_held(task, command, done)
  local key = 'panel_held_' .. task:get_user():lower()
  local ok, connection = lua_redis.redis_make_request(task, store, key, command ~= 'GET', function(err, data)
    if err then logger.warnx(task, 'what is held cannot be counted: %s', err) end
    if done and not err then done(data) end
  end, command, { key })
  if ok and command == 'INCR' then connection:add_cmd('EXPIRE', { key, tostring(flood_seconds) }) end
end

rspamd_config:register_symbol({
  name = 'PANEL_SETTINGS',
  type = 'prefilter',
  priority = 10,
  flags = 'empty,nostat,explicit_disable',
  callback = function(task)
    -- Of what is sent, the end below decides.
    if task:get_user() then
      task:set_settings({
        actions = { reject = 10000, greylist = ucl.null, ['add header'] = ucl.null, ['rewrite subject'] = ucl.null },
        symbols_disabled = { 'GREYLIST_CHECK', 'GREYLIST_SAVE' }
      })
      count_held(task, 'GET', function(count)
        if (tonumber(count) or 0) >= flood_messages then task:get_mempool():set_variable('panel_flood', 'yes') end
      end)
      return
    end
    local result = judge(task)
    if result.filtered == 0 and result.denied == 0 then
      task:set_pre_result({ action = 'no action', module = 'panel', message = 'not filtered', priority = above_all })
      return
    end
    if result.filtered == 0 and result.open == 0 then
      task:set_pre_result({ action = 'reject', module = 'panel', message = 'Not wanted here', priority = above_all })
      return
    end
    if result.denied > 0 then
      task:set_pre_result({ action = 'add header', module = 'panel', message = 'denied', priority = above_all })
      return
    end
    local actions = { reject = result.refuse, ['add header'] = result.junk, ['rewrite subject'] = ucl.null }
    if result.open > 0 then actions.reject = 10000 end
    local settings = { actions = actions }
    if not result.greylisting or result.open > 0 or result.allowing > 0 then
      actions.greylist = ucl.null
      settings.symbols_disabled = { 'GREYLIST_CHECK', 'GREYLIST_SAVE' }
    end
    task:set_settings(settings)
    if result.allowing > 0 and result.allowing == result.filtered then
      task:get_mempool():set_variable('panel_allowed', 'yes')
    end
  end
})

-- An address is easily forged: one that is allowed counts nothing where its domain says that it is not the sender.
local disproofs = { 'DMARC_POLICY_REJECT', 'DMARC_POLICY_QUARANTINE', 'R_SPF_FAIL' }
rspamd_config:register_symbol({
  name = 'PANEL_ALLOWED',
  type = 'normal',
  flags = 'empty,nostat',
  score = -1000,
  description = 'The recipient allows this sender',
  callback = function(task)
    if task:get_mempool():get_variable('panel_allowed') ~= 'yes' then return end
    for _, symbol in ipairs(disproofs) do
      if task:has_symbol(symbol) then return end
    end
    task:insert_result('PANEL_ALLOWED', 1.0)
  end
})
rspamd_config:register_dependency('PANEL_ALLOWED', 'SPF_CHECK')
rspamd_config:register_dependency('PANEL_ALLOWED', 'DMARC_CALLBACK')

-- The symbols that made most of the score.
local function main_symbols(task)
  local symbols = {}
  for _, symbol in ipairs(task:get_symbols_all() or {}) do
    if symbol.score > 0 then table.insert(symbols, symbol) end
  end
  table.sort(symbols, function(a, b) return a.score > b.score end)
  local names = {}
  for index = 1, math.min(5, #symbols) do names[index] = symbols[index].name end
  return names
end

-- Written before Postfix has the answer, so that nothing is held without a word of why.
local function note_held(task, score, is_spam)
  local id = task:get_queue_id()
  if not id or not id:match('^[0-9A-Za-z]+$') then return end
  local path = options.held .. '/' .. id
  local file, problem = io.open(path .. '~new', 'w')
  if not file then
    logger.errx(task, 'a message that is held cannot be noted: %s', problem)
    return
  end
  local note = { login = task:get_user(), score = score, symbols = main_symbols(task), flood = not is_spam }
  file:write(ucl.to_format(note, 'json-compact'))
  file:close()
  os.rename(path .. '~new', path)
end

rspamd_config:register_symbol({
  name = 'PANEL_HOLD',
  type = 'postfilter',
  priority = 10,
  flags = 'empty,nostat,ignore_passthrough',
  callback = function(task)
    if not task:get_user() then return end
    local score = task:get_metric_score('default')[1]
    local is_spam = score >= options.hold_score
    if not is_spam and task:get_mempool():get_variable('panel_flood') ~= 'yes' then return end
    if is_spam then count_held(task, 'INCR') end
    note_held(task, score, is_spam)
    task:set_pre_result({ action = 'reject', module = 'panel', message = 'held', priority = above_all })
  end
})
`
