;;; agent-memory.el --- Agent Memory with eglot  -*- lexical-binding: t -*-

;; Emacs 29 and later, or Emacs 28 with the package eglot. `agent-memory' must be on PATH.
;; Memory files are checked; M-x eglot-code-actions on a region offers "Remember This".

(require 'eglot)

(add-to-list 'eglot-server-programs
             '((markdown-mode text-mode) . ("agent-memory" "serve")))

(defun agent-memory-start ()
  "Start Agent Memory in the buffers of memory files."
  (when (and buffer-file-name
             (string-match-p "/\\(agent\\|AGENTS\\|CLAUDE\\|SKILL\\)\\.md\\'\\|/\\.deepagents/"
                             buffer-file-name))
    (eglot-ensure)))

(add-hook 'find-file-hook #'agent-memory-start)

(provide 'agent-memory)
;;; agent-memory.el ends here
