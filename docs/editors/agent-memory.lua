-- Agent Memory for Neovim 0.7 and later. Copy to ~/.config/nvim/plugin/agent-memory.lua;
-- `agent-memory` must be on PATH. Memory files are checked; the code action "Remember This"
-- works on a selection in any file.

local function project_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  return git ~= '' and vim.fn.fnamemodify(git, ':p:h:h') or folder
end

local clients = {} -- by project, for Neovim 0.7, which does not look for a running one itself

local function attach(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= '' or file == '' then
    return
  end
  local config = {
    name = 'agent-memory',
    cmd = { 'agent-memory', 'serve' },
    root_dir = project_of(file),
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local id = clients[config.root_dir]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  callback = function(args)
    attach(args.buf)
  end,
})
