// The loop
