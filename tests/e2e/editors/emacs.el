;;; emacs.el --- Run by emacs.test.mjs  -*- lexical-binding: t -*-

;; Attach with the documented configuration, report the diagnostics of agent.md, remember a line of
;; notes.txt, save.  The results are written to $RESULT as JSON.

(require 'cl-lib)
(require 'json)
(setq eglot-sync-connect 20
      eglot-autoshutdown nil
      make-backup-files nil
      create-lockfiles nil)
(load (getenv "SETUP"))
;; markdown-mode is a separate package and may be missing.
(add-to-list 'auto-mode-alist '("\\.md\\'" . text-mode))

(defun wait-for (what condition)
  "Wait until CONDITION returns non-nil; fail with WHAT after 15 seconds."
  (let ((end (+ (float-time) 15)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (error "Not within 15 s: %s" what))
      (accept-process-output nil 0.05))))

(defun as-list (diagnostic)
  "Return DIAGNOSTIC with its line and column from 0."
  (let ((raw (alist-get 'eglot-lsp-diag (flymake-diagnostic-data diagnostic))))
    (save-excursion
      (goto-char (flymake-diagnostic-beg diagnostic))
      (list :line (1- (line-number-at-pos)) :column (- (point) (line-beginning-position))
            :code (plist-get raw :code) :message (plist-get raw :message)))))

(let ((project default-directory) memory found offered)
  (find-file ".deepagents/agent.md")
  (setq memory (current-buffer))
  ;; `eglot-ensure' would do this once Emacs shows the buffer, which never happens in batch mode.
  (apply #'eglot (eglot--guess-contact))
  (wait-for "a connection" #'eglot-managed-p)
  (flymake-start)
  (wait-for "diagnostics" #'flymake-diagnostics)
  (setq found (mapcar #'as-list (flymake-diagnostics)))

  (find-file (expand-file-name "notes.txt" project))
  (eglot--maybe-activate-editing-mode)
  (wait-for "a connection" #'eglot-managed-p)
  (goto-char (point-min))
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (let ((names (mapcar (lambda (it) (if (consp it) (car it) it)) choices)))
                 (setq offered names)
                 (cl-find-if (lambda (name) (string-match-p (getenv "CHOOSE") name)) names))))
            ((symbol-function 'y-or-n-p) (lambda (&rest _) t))
            ;; A list would indicate the mouse, and the actions would open as a pop-up menu.
            (last-nonmenu-event t))
    (eglot-code-actions (point-min) (line-end-position) nil t))
  (with-current-buffer memory
    (wait-for "the remembered item"
              (lambda () (save-excursion
                           (goto-char (point-min)) (search-forward "neap" nil t))))
    (save-buffer))
  (with-temp-file (getenv "RESULT")
    (insert (json-encode (list :diagnostics (vconcat found) :offered (vconcat offered)))))
  (eglot-shutdown (with-current-buffer memory (eglot-current-server))))
