-- Run by neovim.test.mjs: attach with the documented configuration, report the diagnostics of agent.md,
-- remember a line of notes.txt, save. The results are written to $RESULT as JSON.
dofile(vim.env.SETUP)
-- `--clean` turns shada and plugins off; swap files would remain in the project.
vim.o.swapfile = false

local function wait(what, condition)
  if not vim.wait(15000, condition, 20) then
    io.stderr:write('not within 15 s: ' .. what .. '\n')
    vim.cmd('cquit!')
  end
end

vim.cmd('edit .deepagents/agent.md')
local memory = vim.api.nvim_get_current_buf()
wait('diagnostics', function()
  return #vim.diagnostic.get(memory) > 0
end)
local found = {}
for _, item in ipairs(vim.diagnostic.get(memory)) do
  table.insert(found, { line = item.lnum, column = item.col, code = item.code, message = item.message })
end

-- An unsaved edit changes the diagnostics.
local before = #vim.diagnostic.get(memory)
vim.api.nvim_buf_set_lines(memory, -1, -1, false, { '', '- typed' .. vim.fn.nr2char(0x200b) .. ' text' })
wait('a diagnostic for the typed text', function()
  return #vim.diagnostic.get(memory) > before
end)
vim.cmd('silent undo')

vim.cmd('edit notes.txt')
local offered = {}
vim.ui.select = function(items, options, choose)
  for index, item in ipairs(items) do
    local title = options.format_item(item)
    table.insert(offered, title)
  end
  for index, item in ipairs(items) do
    if options.format_item(item):match(vim.env.CHOOSE) then
      return choose(item, index)
    end
  end
  choose(nil)
end
local range = { start = { 1, 0 }, ['end'] = { 1, 29 } }
if vim.fn.has('nvim-0.8') == 1 then
  vim.lsp.buf.code_action({ range = range })
else
  vim.lsp.buf.range_code_action(nil, range.start, range['end'])
end
wait('the remembered item', function()
  return table.concat(vim.api.nvim_buf_get_lines(memory, 0, -1, false), '\n'):find('neap', 1, true)
end)
vim.cmd('silent wall')

local result = vim.fn.json_encode({ diagnostics = found, offered = offered })
vim.fn.writefile({ result }, vim.env.RESULT)
for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
  vim.lsp.stop_client(client.id)
end
vim.cmd('qa!')
